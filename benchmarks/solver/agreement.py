"""Compares the proven lengths of states with those that another program finds.

    python -m benchmarks.solver.agreement ./optimal --lengths 16:92,17:8 --seed 43

The other program is Michael Reid's `optimal`, whose source is in Debian's package rubiks. Debian
builds it for quarter turns, so build it with FACE_TURN_METRIC and ONE_SOLUTION_ONLY. It is under
another licence, and nothing of it is here.

A scramble of n turns is used if we prove that its state needs n turns. Few scrambles of 19 turns
need them all, so for 19 the superflip after a half turn and after a quarter turn come first, which
the other program searches by their symmetry, and then random states. It is not told our answer. It
reads each state as one line of text: the pieces of the places UF to DBR. When it has excluded all
lengths below ours, it is stopped: our solution, which is replayed, is then its shortest, too. To
find one of that length itself would take it up to ten times as long.
"""

import re
import signal
import subprocess
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.report import Figure, Given, Report, Row, Rows, parser_of, run
from benchmarks.solver.optimal import SUPERFLIP, load_solver, proven
from cube.facelets import Facelets
from cube.moves import FACES, Move
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.random_states import random_state
from cube.state import SOLVED, CubeState

_PLACES = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR"
_FOUND = re.compile(r"\(\s*(\d+)f\*")
_EXCLUDED = re.compile(r"depth\s+(\d+)f completed")
_INTERRUPTED = "user interrupt"
_STICKERS = 9
"""Number of stickers on a face."""
RARE = 19
"""From this length on, few scrambles need all their turns; 3 % of random states do."""


class Compared(Row):
    """A state whose length both programs have found."""

    length: int
    number: int
    ours_s: float
    other_s: float
    other: int
    agree: bool


def pieces_text(facelets: Facelets) -> str:
    """Return the pieces of all places, as the other program reads them."""
    places = {
        frozenset(name): dict(zip((facelet // _STICKERS for facelet in shown), shown, strict=True))
        for names, all_shown in ((CORNERS, CORNER_FACELETS), (EDGES, EDGE_FACELETS))
        for name, shown in zip(names, all_shown, strict=True)
    }
    text = str(facelets)
    return " ".join(
        "".join(text[places[frozenset(place)][FACES.index(face)]] for face in place)
        for place in _PLACES.split()
    )


def scrambles(length: int, rng: np.random.Generator) -> Iterator[CubeState]:
    """Yield states after random turns, no two in a row of one axis; from `RARE` on, others."""
    if length >= RARE:
        yield from (SUPERFLIP.apply(Move("F", turns)) for turns in (2, 1))
        while True:
            yield random_state(rng)
    while True:
        state, last = SOLVED, -1
        for _ in range(length):
            axis = int(rng.choice([axis for axis in range(3) if axis != last]))
            face = FACES[axis + 3 * int(rng.integers(2))]
            state = state.apply(Move(face, int(rng.integers(1, 4))))
            last = axis
        yield state


class Peer:
    """The other program, which runs until all states are solved."""

    def __init__(self, path: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([path], stdin=pipe, stdout=pipe, text=True)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._asked = 0

    def length(self, state: CubeState, known: int) -> int:
        """Return the least number of turns of a state for which `known` turns are enough.

        The program echoes comments, which tells its answer from the end of the one before.
        """
        self._asked += 1
        mark = f"% state {self._asked}\n"
        self._input.write(mark + pieces_text(state.to_facelets()) + "\n")
        self._input.flush()
        marked = stopped = False
        for line in self._output:
            marked |= line == mark
            if not marked:
                continue
            if found := _FOUND.search(line):
                return int(found[1])
            if stopped and _INTERRUPTED in line:
                return known
            if (excluded := _EXCLUDED.search(line)) and int(excluded[1]) == known - 1:
                self._process.send_signal(signal.SIGINT)
                stopped = True
        raise RuntimeError("the other program ended")

    def end(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()


def measure(given: Given, _report: Report) -> Rows:
    """Prove the states of each length, and give them to the other program."""
    tables, optimal = load_solver(given.memory_mb)
    rng, peer = np.random.default_rng(given.seed), Peer(given.peer)
    done = agreed = 0
    try:
        for part in given.lengths.split(","):
            length, count = map(int, part.split(":"))
            number = 0
            for state in scrambles(length, rng):
                if number == count:
                    break
                proof = proven(number, state, tables, optimal, given.threads)
                if proof.turns != length:
                    continue
                begun = time.monotonic()
                other = peer.length(state, length)
                spent = round(time.monotonic() - begun, 1)
                yield Compared(length, number, proof.seconds, spent, other, other == length)
                number, done, agreed = number + 1, done + 1, agreed + (other == length)
    finally:
        peer.end()
    yield Figure.at_least("states of the same length", agreed, done, "")


if __name__ == "__main__":
    lengths = "16:92,17:8"
    run(
        parser_of(__doc__, peer=str, lengths=lengths, memory_mb=2000.0, threads=1, seed=43),
        measure,
    )
