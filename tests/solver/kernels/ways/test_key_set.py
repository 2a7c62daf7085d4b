"""Sets of keys: no member is ever missed, and few others are claimed."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.key_sets import claims, members

BITS = 16


@settings(max_examples=20)
@given(st.lists(st.integers(0, 2**63 - 1), max_size=200))
def test_no_member_is_missed(given_keys: list[int]) -> None:
    keys = np.array(given_keys, np.uint64)
    made = members(keys, BITS)
    assert claims(keys, made.ctypes.data, BITS) == len(keys)
    assert made.nbytes == 1 << BITS - 3


def test_as_few_others_are_claimed_as_three_bits_allow() -> None:
    """Of keys that follow each other as much as of any: the hash has to spread them."""
    count = 6000
    keys = np.arange(count, dtype=np.uint64)
    made = members(keys, BITS)
    others = np.arange(count, 101 * count, dtype=np.uint64)
    share = claims(others, made.ctypes.data, BITS) / len(others)
    expected = (1 - math.exp(-3 * count / 2**BITS)) ** 3
    assert expected < share < 1.3 * expected  # lines of 512 bits are not all as full
    empty = members(keys[:0], BITS)
    assert claims(others, empty.ctypes.data, BITS) == 0
