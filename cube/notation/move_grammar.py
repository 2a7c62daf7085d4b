"""The grammar of texts of moves: groups, repetitions, inverses, commutators, conjugates.

``R U`` is R, then U; ``(R U)6``, ``(R U)x6`` and ``(R U)^6`` repeat it six times; ``(R U)'`` and
``(R U)^-1`` are its inverse; ``[A, B]`` is the commutator A B A' B', ``[A: B]`` the conjugate
A B A', as in cubing software. ``*`` and ``·`` are allowed between two words, commas between single
moves, and brackets may be nested. A `MoveAlphabet` says what a single move is, and
`cube.notation.pasted_text` what may stand around moves. Everything else is refused.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from cube.errors import NotationError
from cube.notation.pasted_text import plain_moves

MOST_MOVES = 10_000
"""The length of the longest sequence that is read, with its repetitions carried out."""
_MOST_CHARACTERS = 20 * MOST_MOVES
_MOST_NESTED = 50
_SHOWN = 60

_CHUNK = re.compile(r"[^ \n()\[\],:*^]+")
_SPACES = re.compile(r"[ \n]*")
_EXPONENT = r"[ ]*\^[ ]*(?:\{[ ]*(?P<braced>-?[0-9]+)[ ]*\}|(?P<raised>-?[0-9]+))"
# R U * 6 without brackets could repeat U or both
_POWER = re.compile(
    rf"{_EXPONENT}|[ ]*\*[ ]*(?P<starred>[0-9]+)(?![A-Za-z0-9])|[xX](?P<times>[0-9]+)"
    r"|(?P<inverse>'|-|i)(?P<after>[0-9]*)|(?P<count>[0-9]+)(?P<prime>'?)"
)
_POWER_OF_MOVE = re.compile(_EXPONENT)
_TIMES_APART = re.compile(r"[ \n]+[xX][0-9]+'?(?![A-Za-z0-9])")
_BRACKETED = re.compile(r"\[[ ]*([A-Za-z0-9'-]+)[ ]*\]")
_CLOSING = {"(": ")", "[": "]"}

Unit = TypeVar("Unit")


class UnreadError(Exception):
    """Part of a text without spaces is not a move; `parse_moves` adds the place.

    Attributes:
        at: Where that part begins, from 0.
        size: Its length.
        why: What is wrong with it, and what to write instead.
    """

    def __init__(self, at: int, size: int, why: str) -> None:
        super().__init__(why)
        self.at, self.size, self.why = at, size, why


@dataclass(frozen=True, slots=True)
class MoveAlphabet(Generic[Unit]):
    """The single moves of a puzzle.

    Attributes:
        split: Returns the moves of a text without spaces and brackets; raises `UnreadError`.
        undone: Returns the move that undoes another.
        bracketed: Returns the move that is written as a text in square brackets, such as a rotation
            ``[u]``, or None if that is not a move.
    """

    split: Callable[[str], Sequence[Unit]]
    undone: Callable[[Unit], Unit]
    bracketed: Callable[[str], Unit | None] = lambda _: None


def parse_moves(text: str, alphabet: MoveAlphabet[Unit]) -> tuple[Unit, ...]:
    """Read moves.

    Args:
        text: As typed or pasted.
        alphabet: The allowed moves.

    Returns:
        The moves one by one, with brackets and powers carried out.

    Raises:
        NotationError: Part of the text is not understood, or it has more than `MOST_MOVES` moves;
            the message names the place.
    """
    if len(text) > _MOST_CHARACTERS:
        raise NotationError(
            f"the text has {len(text)} characters; moves are read up to {_MOST_CHARACTERS}"
        )
    return _Parser(text, alphabet).whole()


class _Parser(Generic[Unit]):
    """The state of reading a text."""

    def __init__(self, text: str, alphabet: MoveAlphabet[Unit]) -> None:
        self._typed = text
        self._text = plain_moves(text)
        self._alphabet = alphabet
        self._at = 0

    def whole(self) -> tuple[Unit, ...]:
        """Read the text: one product, or single moves separated by commas."""
        parts, commas = [self._product(0)], list[int]()
        while self._next() == ",":
            commas.append(self._at)
            self._at += 1
            parts.append(self._product(0))
        if self._next():
            raise self._wrong(_stray(self._next()))
        for number, part in enumerate(parts):
            if commas and len(part) != 1:
                comma = commas[min(number, len(commas) - 1)]
                raise self._wrong(
                    "may only separate single moves; for a commutator, write [A, B]", comma
                )
        return tuple(unit for part in parts for unit in part)

    def _next(self) -> str:
        """Return the next character; nothing at the end."""
        return self._text[self._at : self._at + 1]

    def _wrong(self, why: str, at: int | None = None, size: int = 1) -> NotationError:
        """Return an error with its place in the text and the reason."""
        at = self._at if at is None else at
        token = self._typed[at : at + size]
        if at >= len(self._typed.rstrip()):
            return NotationError(f"the end of {_shortened(self._typed)} {why}")
        strange = next((sign for sign in token if not sign.isascii()), "")
        named = f" ({unicodedata.name(strange, 'unnamed').lower()})" if strange else ""
        return NotationError(
            f"{_shortened(token)} at {self._place(at)} of {_shortened(self._typed)}{named} {why}"
        )

    def _place(self, at: int) -> str:
        line = self._text.count("\n", 0, at)
        character = at - self._text.rfind("\n", 0, at)
        return f"character {character}" + (f" of line {line + 1}" if line else "")

    def _product(self, depth: int) -> tuple[Unit, ...]:
        """Read consecutive words, up to their end."""
        if depth > _MOST_NESTED:
            raise self._wrong(f"is inside more than {_MOST_NESTED} brackets; write it with fewer")
        made: list[Unit] = []
        joined = -1
        while True:
            start = self._at = self._after_spaces()
            sign = self._next()
            if not sign or sign in ")],:^":
                if joined >= 0:
                    raise self._wrong(_stray("*"), joined)
                return tuple(made)
            if sign == "*":
                if joined >= 0 or not made or self._text[start + 1 : start + 2].isdigit():
                    raise self._wrong(_stray("*"))
                joined = start
                self._at += 1
                continue
            made += self._bracket(depth) if sign in _CLOSING else self._chunk()
            joined = -1
            self._require_short(len(made), start)

    def _after_spaces(self) -> int:
        match = _SPACES.match(self._text, self._at)
        assert match is not None
        return match.end()

    def _require_short(self, length: int, start: int) -> None:
        if length > MOST_MOVES:
            raise self._wrong(
                f"makes this a sequence of {length} moves; the maximum is {MOST_MOVES}", start
            )

    def _bracket(self, depth: int) -> tuple[Unit, ...]:
        start, opening = self._at, self._next()
        if opening == "[" and (match := _BRACKETED.match(self._text, start)):
            unit = self._alphabet.bracketed(match[1])
            if unit is not None:
                self._at = match.end()
                return self._raised((unit,), start)
        self._at += 1
        if opening == "(":
            one = self._product(depth + 1)
            self._close(start)
            return self._raised(one, start)
        one = self._part(depth)
        sign = self._next()
        if not sign or sign not in ",:":
            raise self._wrong(
                "begins neither a commutator [A, B] nor a conjugate [A: B]; for a group, write "
                "(A B)",
                start,
            )
        self._at += 1
        two = self._part(depth)
        self._close(start)
        made = (*one, *two, *self._undone(one))
        if sign == ",":
            made = (*made, *self._undone(two))
        return self._raised(made, start)

    def _part(self, depth: int) -> tuple[Unit, ...]:
        """Read one of the two parts in square brackets."""
        start, made = self._at, self._product(depth + 1)
        if not self._text[start : self._at].strip() and self._next():
            raise self._wrong("has no moves before it; write a commutator as [A, B]")
        return made

    def _close(self, start: int) -> None:
        closing = _CLOSING[self._text[start]]
        if not self._next():
            raise self._wrong(f"is never closed; write {closing!r} at its end", start)
        if self._next() != closing:
            raise self._wrong(
                f"stands where {closing!r} should close the {self._text[start]!r} at "
                f"{self._place(start)}"
            )
        self._at += 1

    def _undone(self, word: tuple[Unit, ...]) -> tuple[Unit, ...]:
        return tuple(map(self._alphabet.undone, reversed(word)))

    def _raised(self, word: tuple[Unit, ...], start: int) -> tuple[Unit, ...]:
        """Return the word in brackets that begins at a place, with its power."""
        match = _POWER.match(self._text, self._at)
        raised = self._powered(word, match, start)
        follower = self._next()
        if (match and match[0][-1] not in "'}" and (follower.isalnum() or follower == "'")) or (
            follower and follower in "xX0123456789'-"
        ):
            raise self._wrong("follows a bracket or its power without a space; put one between")
        if not match and (apart := _TIMES_APART.match(self._text, self._at)):
            at = self._after_spaces()
            raise self._wrong(
                "may repeat the brackets before it or turn the whole cube; write (…)2 to repeat, "
                "x x to turn",
                at,
                apart.end() - at,
            )
        return raised

    def _powered(
        self, word: tuple[Unit, ...], match: re.Match[str] | None, start: int
    ) -> tuple[Unit, ...]:
        if match is None:
            return word
        self._at = match.end()
        found = {key: value for key, value in match.groupdict().items() if value}
        inverse = "inverse" in found or "prime" in found
        digits = [value for key, value in found.items() if key not in ("inverse", "prime")]
        number = digits[0] if digits else "1"
        if len(number) > len(str(MOST_MOVES)) + 1:
            raise self._wrong("has an exponent with too many digits", start)
        power = -int(number) if inverse else int(number)
        self._require_short(len(word) * abs(power), start)
        return (word if power >= 0 else self._undone(word)) * abs(power)

    def _chunk(self) -> tuple[Unit, ...]:
        """Read moves without spaces; a power belongs to the last of them."""
        match = _CHUNK.match(self._text, self._at)
        assert match is not None
        if match[0].isdigit() or match[0] in {"'", "-", "i"}:
            raise self._wrong(
                "does not follow a move directly; write R2 or (R U)2, without a space",
                size=len(match[0]),
            )
        try:
            moves = tuple(self._alphabet.split(match[0]))
        except UnreadError as error:
            raise self._wrong(error.why, self._at + error.at, error.size) from error
        start, self._at = self._at, match.end()
        last = self._powered(moves[-1:], _POWER_OF_MOVE.match(self._text, self._at), start)
        return (*moves[:-1], *last)


def _shortened(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def _stray(sign: str) -> str:
    if sign in ")]":
        return "closes no bracket; remove it, or open a bracket before it"
    if sign == ":":
        return "belongs in a conjugate: write [A: B]"
    if sign == "*":
        return "must stand between two words, or after brackets and before a number"
    return "has nothing before it; write for example R^2 or (R U)^-1"
