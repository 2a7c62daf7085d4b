"""The progress of slow work where there is no terminal."""

import re

import pytest

from thistlebot.terminal.progress_listener import TableProgress
from thistlebot.terminal.screen import Screen


@pytest.mark.parametrize(("line_s", "shares"), [(0.0, ["25", "50"]), (60.0, [])])
def test_without_a_terminal_lines_on_stderr_tell_the_share(
    line_s: float, shares: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with TableProgress(Screen(), "building", line_s=line_s) as progress:
        for share in (0.0, 0.25, 0.5):
            progress(share)
    out, err = capsys.readouterr()
    first, *later = err.splitlines()
    assert (out, first) == ("", "building")
    assert [re.findall(r"\b(\d+) %", line) for line in later] == [[share] for share in shares]
