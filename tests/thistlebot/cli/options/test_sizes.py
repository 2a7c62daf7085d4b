"""Sizes of memory on the command line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thistlebot.cli.options.sizes import megabytes
from thistlebot.errors import UsageError


@given(st.integers(1, 10**6), st.sampled_from(("", "MB", " mb", "M")))
def test_a_number_is_in_megabytes(number: int, unit: str) -> None:
    assert megabytes(f"{number}{unit}") == number


@given(st.integers(1, 1000))
def test_gigabytes_are_a_thousand_of_them(number: int) -> None:
    assert megabytes(f"{number / 8}GB") == pytest.approx(125 * number)


@pytest.mark.parametrize("text", ["", "MB", "0MB", "-60MB", "60KB", "sixty", "60 MB of it", "1e3"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="60MB"):
        megabytes(text)
