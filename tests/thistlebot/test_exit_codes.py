"""Scripts ask for the exit codes: they are what the README says."""

import re
from pathlib import Path

from thistlebot.exit_codes import ExitCode

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_readme_lists_every_exit_code() -> None:
    table = README.read_text(encoding="utf-8").partition("| exit code | meaning |")[2]
    rows = dict(re.findall(r"^\| (\d+) \| (.+) \|$", table, re.MULTILINE))
    assert [int(code) for code in rows] == [code.value for code in ExitCode]
    assert "a bug" in rows[str(ExitCode.BUG)]
    assert "misread" in rows[str(ExitCode.MISREAD)]
    assert "not solvable" in rows[str(ExitCode.UNSOLVABLE)]
    assert "no device" in rows[str(ExitCode.NO_DEVICE)]
    assert "stopped by the user" in rows[str(ExitCode.STOPPED)]
    assert "not verified" in rows[str(ExitCode.NOT_VERIFIED)]
