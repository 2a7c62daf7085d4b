"""The tail: entries that a kill cannot take away."""

import contextlib
import os
import signal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journals import forked

from thistlebot.journal.tail import SIZE, Tail, TailFullError, take_tails


def reopened(file: Path) -> list[bytes]:
    tail = Tail(file)
    try:
        return list(tail.entries.values())
    finally:
        tail.close()


@settings(max_examples=25)
@given(st.data())
def test_entries_are_there_again_in_order(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("tail") / "tail-0.log"
    expected: dict[int, bytes] = {}
    tail = Tail(file)
    for _ in range(data.draw(st.integers(1, 12))):
        if data.draw(st.booleans()):
            entry = data.draw(st.binary(min_size=1, max_size=300))
            expected[tail.add(entry)] = entry
        else:
            kept = data.draw(st.sets(st.sampled_from(sorted(expected) or [0])))
            tail.keep_only(kept)
            expected = {number: each for number, each in expected.items() if number in kept}
        if data.draw(st.booleans()):  # as after a kill: nothing was closed or flushed
            assert reopened(file) == list(expected.values())
    assert tail.entries == expected
    tail.close()


@settings(max_examples=25)
@given(st.integers(16, 1000), st.integers(1, 255))
def test_damage_costs_entries_and_invents_none(
    tmp_path_factory: pytest.TempPathFactory, place: int, change: int
) -> None:
    file = tmp_path_factory.mktemp("tail") / "tail-0.log"
    tail = Tail(file)
    entries = [bytes([number]) * 40 for number in range(1, 20)]
    for entry in entries:
        tail.add(entry)
    tail.close()
    content = bytearray(file.read_bytes())
    content[place] ^= change
    file.write_bytes(content)
    found = reopened(file)
    assert found == entries[: len(found)]


def test_a_full_tail_says_so_and_stays_whole(tmp_path: Path) -> None:
    tail = Tail(tmp_path / "tail-0.log")
    numbers = []
    with contextlib.suppress(TailFullError):
        while len(numbers) < SIZE:
            numbers.append(tail.add(b"x" * 1000))
    assert 100 < len(numbers) < SIZE // 1000
    with pytest.raises(TailFullError):
        tail.add(b"x" * 1000)
    assert list(tail.entries) == numbers
    assert len(reopened(tmp_path / "tail-0.log")) == len(numbers)
    tail.keep_only(numbers[:2])
    tail.add(b"room again")
    assert len(reopened(tmp_path / "tail-0.log")) == 3
    tail.close()


def test_a_tail_belongs_to_one_program_and_to_the_next_when_that_is_killed(tmp_path: Path) -> None:

    def speak(pipe: int) -> None:
        [tail] = take_tails(tmp_path)
        tail.add(b"said before the kill")
        os.write(pipe, b"!")
        signal.pause()

    child, reading = forked(speak)
    os.read(reading, 1)
    [mine] = take_tails(tmp_path)
    assert mine.entries == {}
    mine.close()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    both = take_tails(tmp_path)
    assert [list(tail.entries.values()) for tail in both] == [[b"said before the kill"], []]
    for tail in both:
        tail.close()
