"""Sizes as people type them."""

import pytest

from thistlebot.errors import UsageError
from thistlebot.journal.run_row import journal_size
from thistlebot.sizes import megabytes


def test_sizes_are_told_in_megabytes_or_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 60, 10**6):
        assert {megabytes(f"{number}{unit}") for unit in ("", "MB", " mb", "M")} == {number}
        assert megabytes(f"{number / 8}GB") == pytest.approx(125 * number)
    for text in ("", "MB", "0MB", "-60MB", "60KB", "sixty", "60 MB of it", "1e3"):
        with pytest.raises(UsageError):
            megabytes(text)
    monkeypatch.setenv("THISTLEBOT_JOURNAL_SIZE", "900")  # as of --memory 900
    assert journal_size() == 900_000_000
