"""Finds words that cycle three pieces and fix all others, and their conjugates by setup turns.

A commutator ``X Y X' Y'`` moves few pieces if the pieces moved by X and Y hardly overlap (S1). From
one such three-cycle of a kind, ``setup · cycle · undo`` makes the others; the setups are found by a
breadth-first search over the ordered triples of slots.
"""

from collections.abc import Hashable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.pieces import Arrangement, PieceKind, Pieces

Made = tuple[Word, Arrangement]
_SHORT_WORDS = 1600
_NEIGHBOURHOODS = 10
_MOST_NEIGHBOURHOODS = 60
_TRIALS = 150
_MOST_POWER = 6
_MOST_MOVED = 9
_MOST_TRIPLES = 2_000_000


def short_words(alphabet: Alphabet, most: int, letters: Iterable[int] | None = None) -> list[Made]:
    """Return the shortest words of some letters with their effects, in a limited number.

    Args:
        alphabet: The turns.
        most: Maximum number of words, except that those of one letter are always included.
        letters: The turns to use; all by default.
    """
    used = range(len(alphabet.letters)) if letters is None else tuple(letters)
    still = np.arange(len(alphabet.letters[0]))
    found: list[Made] = []
    edge: list[Made] = [((), still)]
    known = {still.tobytes()}
    while edge:
        grown = []
        for word, effect in edge:
            for letter in used:
                done = effect[alphabet.letters[letter]]
                if (key := done.tobytes()) not in known:
                    known.add(key)
                    grown.append(((*word, letter), done))
            if found and len(found) + len(grown) > most:
                return found
        found += grown
        edge = grown
    return found


def three_cycles(pieces: Pieces, alphabet: Alphabet, rng: np.random.Generator) -> dict[str, Made]:
    """Return the shortest three-cycle found for each kind, by its name.

    It fixes all earlier kinds; its effect on later ones does not matter.
    """
    possible = sum(len(kind.places) >= 3 and not kind.frame for kind in pieces.kinds)
    best: dict[str, Made] = {}
    layers = len({turn.layer for turn in alphabet.turns})
    for neighbourhood in range(min(_MOST_NEIGHBOURHOODS, 4 * layers) if possible else 0):
        if neighbourhood >= _NEIGHBOURHOODS and len(best) == possible:
            break
        for word, effect in _candidates(alphabet, neighbourhood, rng):
            power: Word = ()
            done = pieces.solved
            for _ in range(_MOST_POWER):
                power, done = alphabet.joined(power, word), done[effect]
                kind, moved = _first_moved(pieces, done)
                if len(moved) == 0 or len(moved) > _MOST_MOVED:
                    break
                known = best.get(kind.name)
                if known is not None and len(known[0]) <= len(power):
                    continue
                if _is_three_cycle(kind.slots[moved], done):
                    best[kind.name] = (power, done)
    return best


def _first_moved(pieces: Pieces, done: Arrangement) -> tuple[PieceKind, NDArray[np.int64]]:
    """Return the first kind with a moved piece, and its places concerned."""
    for kind in pieces.kinds:
        moved = np.flatnonzero((done[kind.slots] != kind.slots).any(axis=1))
        if len(moved):
            break
    return kind, moved


def _is_three_cycle(slots: NDArray[np.int64], done: Arrangement) -> bool:
    """Return whether three pieces change places, and none comes back twisted."""
    if len(slots) != 3:
        return False
    stays = [set(done[row].tolist()) == set(row.tolist()) for row in slots]
    return not any(stays) and bool((done[done[done[slots]]] == slots).all())


def _candidates(alphabet: Alphabet, number: int, rng: np.random.Generator) -> Iterator[Made]:
    """Yield short words of two or three neighbouring layers, and commutators of them."""
    layers: dict[Hashable, list[int]] = {}
    for letter, turn in enumerate(alphabet.turns):
        layers.setdefault(turn.layer, []).append(letter)
    still = np.arange(len(alphabet.letters[0]))
    moves = {
        layer: np.any([alphabet.letters[n] != still for n in letters], axis=0)
        for layer, letters in layers.items()
    }
    first = list(layers)[number % len(layers)]
    near = [other for other in layers if other != first and (moves[other] & moves[first]).any()]
    count = min(len(near), 1 + (number + number // len(layers)) % 2)
    chosen = [near[i] for i in rng.choice(len(near), count, replace=False)] if count else []
    letters = [n for layer in (first, *chosen) for n in layers[layer]]
    words = short_words(alphabet, _SHORT_WORDS, letters)
    yield from words[: 2 * _TRIALS]
    for trial in range(_TRIALS):
        one = words[int(rng.integers(len(words)))]
        two = words[int(rng.integers(len(words) if trial % 2 else min(len(words), 40)))]
        made = _commutator(alphabet, one, two)
        yield made
        letter = letters[int(rng.integers(len(letters)))]
        yield _commutator(alphabet, made, ((letter,), alphabet.letters[letter]))


def _commutator(alphabet: Alphabet, one: Made, two: Made) -> Made:
    joined, inverse = alphabet.joined, alphabet.inverse
    word = joined(joined(one[0], two[0]), joined(inverse(one[0]), inverse(two[0])))
    return word, one[1][two[1]][np.argsort(one[1])][np.argsort(two[1])]


class Setups:
    """Every conjugate of a three-cycle by setup turns.

    Args:
        kind: The kind.
        alphabet: The turns.
        cycle: A three-cycle of its pieces.
    """

    def __init__(self, kind: PieceKind, alphabet: Alphabet, cycle: Made) -> None:
        self._alphabet = alphabet
        self._cycle = cycle
        self.slots = np.sort(kind.slots.ravel())
        self._count = count = len(self.slots)
        local = np.full(len(alphabet.letters[0]), -1)
        local[self.slots] = np.arange(count)
        self._local = local
        turns = np.array([local[letter[self.slots]] for letter in alphabet.letters])
        start = next(int(slot) for slot in self.slots if cycle[1][slot] != slot)
        triple = [start, int(cycle[1][start]), int(cycle[1][cycle[1][start]])]
        self.distances: NDArray[np.int16] = np.full(count**3, -1, np.int16)
        self._letters: NDArray[np.int16] = np.full(count**3, -1, np.int16)
        frontier = self._code(*(local[triple][:, None])).ravel()
        self.distances[frontier] = 0
        depth = 0
        while len(frontier):
            depth += 1
            a, rest = np.divmod(frontier, count * count)
            b, c = np.divmod(rest, count)
            for letter, turn in enumerate(turns):
                there = self._code(turn[a], turn[b], turn[c])
                there = there[self.distances[there] < 0]
                self.distances[there] = depth
                self._letters[there] = letter
            frontier = np.flatnonzero(self.distances == depth)

    @staticmethod
    def fits(kind: PieceKind) -> bool:
        """Return whether there are few enough triples."""
        return len(kind.places) >= 3 and kind.slots.size**3 <= _MOST_TRIPLES

    def _code(
        self, a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        code: NDArray[np.int64] = (a * self._count + b) * self._count + c
        return code

    def shortest(
        self, start: int, end: int, allowed: NDArray[np.bool_], most: int
    ) -> Iterator[Made]:
        """Return the shortest words that cycle start → end → an allowed third slot.

        Args:
            start: A slot.
            end: The slot of its content afterwards.
            allowed: For each slot of the puzzle whether it may be the third.
            most: Maximum number of words.
        """
        a, b = int(self._local[start]), int(self._local[end])
        row = self.distances[(a * self._count + b) * self._count :][: self._count]
        good = np.flatnonzero((row >= 0) & allowed[self.slots])
        for third in good[np.argsort(row[good], kind="stable")][:most].tolist():
            yield self._made(a, b, third)

    def _made(self, a: int, b: int, c: int) -> Made:
        alphabet = self._alphabet
        setup: list[int] = []
        code = (a * self._count + b) * self._count + c
        while self.distances[code]:
            letter = int(self._letters[code])
            setup.append(letter)
            back = alphabet.letters[alphabet.inverse((letter,))[0]]
            a, b, c = (int(self._local[back[self.slots[i]]]) for i in (a, b, c))
            code = (a * self._count + b) * self._count + c
        before = tuple(setup)
        word = alphabet.joined(alphabet.joined(before, self._cycle[0]), alphabet.inverse(before))
        done = alphabet.effect(before)
        return word, done[self._cycle[1]][np.argsort(done)]
