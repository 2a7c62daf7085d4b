"""Words of moves as people write them: products, powers, inverses, commutators, conjugates.

``R U`` is R, then U; ``(R U)6`` repeats it six times, ``(R U)'`` and ``(R U)^-1`` are its inverse;
``[A, B]`` is the commutator A B A' B', ``[A: B]`` the conjugate A B A', as in cubing software.
``*`` and ``·`` are allowed between two words, and brackets may be nested.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from cube.moves import plain_primes
from solver.errors import SolverError

_POWER = re.compile(r"\^\s*\{?\s*(?P<exponent>[-−]?\d+)\s*\}?|(?P<times>\d*)(?P<prime>'?)")
_EXPONENT = re.compile(r"\^\s*\{?\s*(?P<exponent>[-−]?\d+)\s*\}?")
_CHUNK = re.compile(r"[^\s()\[\],:*·^]+")
_BETWEEN = " \t\r\n*·"
_CLOSING = {"(": ")", "[": "]"}
_MOST_NESTED = 50
_MOST_DIGITS = 1000
_ONE, _SEVERAL = 1, 2


class WordError(SolverError):
    """A text is not a word of moves."""


@dataclass(frozen=True, slots=True)
class Letters:
    """The moves allowed in a word.

    Attributes:
        puzzle: Name of the puzzle, for messages.
        known: Returns whether a text is one move.
        undoing: Returns the inverse of a move.
        examples: Some moves, for messages.
    """

    puzzle: str
    known: Callable[[str], bool]
    undoing: Callable[[str], str]
    examples: str


def read_word(text: str, letters: Letters, most: int) -> tuple[str, ...]:
    """Read a word.

    Args:
        text: As typed. Spaces between moves may be omitted if the meaning is unique.
        letters: The allowed moves.
        most: Maximum number of moves.

    Returns:
        Its moves one by one, as typed.

    Raises:
        WordError: It is not a word, or too long; the message names the place of the error.
    """
    reader = _Reader(plain_primes(text), letters, most)
    moves = reader.product(depth=0)
    if not reader.at_end():
        raise reader.wrong(_stray(text[reader.at]))
    return moves


def _stray(sign: str) -> str:
    if sign in ")]":
        return "closes no bracket; remove it, or open a bracket before it"
    if sign == ",":
        return "belongs in a commutator: write [A, B]"
    if sign == ":":
        return "belongs in a conjugate: write [A: B]"
    return "has nothing before it; write for example R^2 or (R U)^-1"


class _Reader:
    """The state of reading a text."""

    def __init__(self, text: str, letters: Letters, most: int) -> None:
        self._text = text
        self._letters = letters
        self._most = most
        self.at = 0

    def at_end(self) -> bool:
        return self.at >= len(self._text)

    def wrong(self, why: str, at: int | None = None, size: int = 1) -> WordError:
        """Return an error with its place in the text and the reason."""
        at = self.at if at is None else at
        token = self._text[at : at + size]
        where = f"{token!r} at character {at + 1}" if token else "the end"
        return WordError(f"{where} of {self._text!r} {why}")

    def product(self, depth: int) -> tuple[str, ...]:
        """Read consecutive words, up to their end."""
        if depth > _MOST_NESTED:
            raise self.wrong(f"is inside more than {_MOST_NESTED} brackets; write it with fewer")
        made: list[str] = []
        while True:
            self._skip()
            if self.at_end() or self._text[self.at] in ")],:^":
                return tuple(made)
            start = self.at
            made += self._bracket(depth) if self._text[start] in _CLOSING else self._chunk()
            self._require_short(len(made), start)

    def _skip(self) -> None:
        while not self.at_end() and self._text[self.at] in _BETWEEN:
            self.at += 1

    def _require_short(self, length: int, start: int) -> None:
        if length > self._most:
            raise self.wrong(
                f"makes this a word of {length} moves; the maximum is {self._most}", start
            )

    def _bracket(self, depth: int) -> tuple[str, ...]:
        start = self.at
        opening = self._text[start]
        self.at += 1
        one = self.product(depth + 1)
        if opening == "(":
            self._close(start)
            return self._raised(one, start, _POWER)
        sign = "" if self.at_end() else self._text[self.at]
        if not sign or sign not in ",:":
            raise self.wrong("begins neither a commutator [A, B] nor a conjugate [A: B]", start)
        self.at += 1
        two = self.product(depth + 1)
        self._close(start)
        made = (*one, *two, *self._undone(one))
        if sign == ",":
            made = (*made, *self._undone(two))
        return self._raised(made, start, _POWER)

    def _close(self, start: int) -> None:
        closing = _CLOSING[self._text[start]]
        if self.at_end():
            raise self.wrong(f"is never closed; write {closing!r} at its end", start)
        if self._text[self.at] != closing:
            raise self.wrong(
                f"stands where {closing!r} should close the {self._text[start]!r} at character "
                f"{start + 1}"
            )
        self.at += 1

    def _undone(self, word: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._letters.undoing(move) for move in reversed(word))

    def _raised(
        self, word: tuple[str, ...], start: int, pattern: re.Pattern[str]
    ) -> tuple[str, ...]:
        """Return a word with its power."""
        match = pattern.match(self._text, self.at)
        if match is None:
            return word
        self.at = match.end()
        found = match.groupdict()
        if len(match[0]) > _MOST_DIGITS:
            raise self.wrong("has an exponent with too many digits", start)
        if found["exponent"]:
            power = int(found["exponent"].replace("−", "-"))
        else:
            power = int(found["times"] or 1) * (-1 if found["prime"] else 1)
        self._require_short(len(word) * abs(power), start)
        return (word if power >= 0 else self._undone(word)) * abs(power)

    def _chunk(self) -> tuple[str, ...]:
        """Read moves without spaces; a power belongs to the last of them."""
        match = _CHUNK.match(self._text, self.at)
        assert match is not None
        moves = self._parted(match.group())
        self.at = match.end()
        last = self._raised(tuple(moves[-1:]), self.at - len(moves[-1]), _EXPONENT)
        return (*moves[:-1], *last)

    def _parted(self, chunk: str) -> list[str]:
        """Return the moves of a chunk.

        From each of its characters, the rest can be read in no, one or several ways.
        """
        ways = [0] * len(chunk) + [_ONE]
        first = [0] * len(chunk)
        for start in range(len(chunk) - 1, -1, -1):
            for end in range(len(chunk), start, -1):
                if ways[end] and self._letters.known(chunk[start:end]):
                    ways[start] = min(_SEVERAL, ways[start] + ways[end])
                    first[start] = end
        if ways[0] == 0:
            raise self._unknown(chunk)
        if ways[0] == _SEVERAL and not self._letters.known(chunk):
            raise self.wrong(
                "can be read in several ways; put spaces between the moves", size=len(chunk)
            )
        if self._letters.known(chunk):
            return [chunk]
        moves, start = [], 0
        while start < len(chunk):
            moves.append(chunk[start : first[start]])
            start = first[start]
        return moves

    def _unknown(self, chunk: str) -> WordError:
        """Return the first part of a chunk with which no move begins."""
        read = {0}
        for end in range(1, len(chunk) + 1):
            if any(self._letters.known(chunk[start:end]) for start in read if start < end):
                read.add(end)
        bad = max(read)
        letters = self._letters
        return self.wrong(
            f"is not a move of {letters.puzzle}; its moves are {letters.examples}",
            self.at + bad,
            len(chunk) - bad,
        )
