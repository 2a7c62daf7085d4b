"""The Containerfile copies what the wheel is made of, and serves the virtual machine."""

import json
import re
import shlex
import tomllib

from prepared import ROOT

TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")


def test_it_copies_what_the_wheel_needs_and_nothing_that_is_missing() -> None:
    copied = {
        path
        for line in re.findall(r"^COPY (?!--from)(.*)$", TEXT, re.MULTILINE)
        for path in shlex.split(line)[:-1]
    }
    assert [path for path in copied if not (ROOT / path).exists()] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {*project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]} <= copied


def test_an_ordinary_user_serves_the_virtual_machine() -> None:
    (arguments,) = re.findall(r"^CMD (.*)$", TEXT, re.MULTILINE)
    assert json.loads(arguments)[:2] == ["serve", "--virtual"]
    assert re.findall(r"^USER (.*)$", TEXT, re.MULTILINE) not in ([], ["root"])
