"""Exit codes over the lines of a file."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from thistlebot.exit_codes import ExitCode
from thistlebot.looking.scan_file import scan_lines

SCAN = json.dumps({"rgb": [[10.0, 20.0, 30.0]] * 54})


def test_one_reading_that_is_accepted_is_enough_unless_a_line_is_no_scan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scans.jsonl"
    for lines, code in (
        (["accepted"], ExitCode.DONE),
        (["refused"], ExitCode.MISREAD),
        (["refused", "accepted", "refused"], ExitCode.DONE),
        (["accepted", "no scan"], ExitCode.USAGE),
    ):
        file.write_text("".join("{}\n" if line == "no scan" else f"{SCAN}\n" for line in lines))
        left = [line for line in lines if line != "no scan"]
        texts = iter(left)

        def read(_: object, texts: Iterator[str] = texts) -> tuple[bool, str]:
            text = next(texts)
            return text == "accepted", text

        assert scan_lines(file, read, 54, as_json=False) == code
        said = capsys.readouterr().out.splitlines()
        assert [line for line in said if line in lines] == left
        assert len(said) == len(lines)
