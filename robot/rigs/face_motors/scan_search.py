"""A search for a quick scan of a fixed cube: looks, and turns of layers between them.

A facelet is seen if it was in sight at some look. The search extends all beginnings of a scan at
the same time, one turn per round. It drops those that cannot become quicker than the best known
scan, and keeps only the most promising of the others, which limits its effort.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from cube.facelets import facelet_name, facelets_text
from cube.moves import FACES, OPPOSITE_FACE, Move, MoveSequence
from cube.state import SOLVED
from robot.errors import NotPossibleError
from robot.rigs.face_motors import planner
from robot.rigs.face_motors.rig_file import FaceMotorFile
from robot.rigs.mechanism import ScanProgram, ScanStop, Sight
from robot.rigs.program import RigProgram

Numbers = npt.NDArray[np.int64]
Places = npt.NDArray[np.uint8]
"""The facelet at each of the 54 places, (entries, 54)."""
Beginnings = npt.NDArray[np.void]
"""Of `_BEGINNING`."""
Masks = npt.NDArray[np.int64]
"""Sets of facelets: bit 0 for U1 to bit 53 for B9."""

WIDTH = 2500
"""Number of beginnings kept for each number of turns."""
_LOOKED = 3
"""A look, in place of the axis of a turn."""
_BEGINNING = np.dtype(
    [
        ("parent", np.int64),  # its number before the last turn
        ("turn", np.int64),  # the number of that turn
        ("axis", np.int64),  # the axis of the last turn, or _LOOKED if a look followed it
        ("seen", np.int64),  # the wanted facelets that were seen
        ("hidden", np.int64),  # the number of facelets that are missing even after a look now
        ("looks", np.int64),  # the number of looks
        ("time_us", np.int64),  # its duration
        ("least_us", np.int64),  # a lower bound of the whole duration
    ]
)


@dataclass(frozen=True, slots=True)
class AxialTurn:
    """A turn of one face, or of two opposite ones.

    Attributes:
        moves: The turns.
        origins: For each of the 54 places, the previous place of its facelet.
        time_us: Duration, including the pause after it.
    """

    moves: MoveSequence
    origins: Numbers
    time_us: int

    @property
    def axis(self) -> int:
        """The axis that it turns about, as in `Move.axis`."""
        return self.moves[0].axis


class SightPaths:
    """The quickest paths of single facelets into sight.

    Args:
        turns: The turns of the rig.
        in_sight: The places that a camera sees.

    Attributes:
        times_us: Duration from each place; infinite where there is no path.
        first: The first turn of each path; None for a place in sight.
    """

    def __init__(self, turns: Sequence[AxialTurn], in_sight: frozenset[int]) -> None:
        self.first: list[AxialTurn | None] = [None] * 54
        self.times_us = np.full(54, np.inf)
        self.times_us[sorted(in_sight)] = 0.0
        before = np.zeros(54)
        while not np.array_equal(before, self.times_us):
            before = self.times_us.copy()
            for turn in turns:
                by_turn = self.times_us + turn.time_us
                for place in np.flatnonzero(by_turn < self.times_us[turn.origins]):
                    origin = turn.origins[place]
                    self.times_us[origin], self.first[origin] = by_turn[place], turn


class ScanSearch:
    """Searches for a quick scan.

    Args:
        turns: The turns of the rig.
        in_sight: The places that a camera sees.
        wanted: The facelets that must be seen, except those of the spare faces.
        look_us: Duration of a look.
        spare_faces: Number of faces that may stay unseen.
    """

    def __init__(
        self,
        turns: Sequence[AxialTurn],
        in_sight: frozenset[int],
        wanted: frozenset[int],
        look_us: int,
        *,
        spare_faces: int = 0,
    ) -> None:
        self._turns = turns
        self._places = np.array(sorted(in_sight), dtype=np.int64)
        self._bits = np.array([(i in wanted) << i for i in range(54)], dtype=np.int64)
        self._wanted = _mask(wanted)
        self._look_us = look_us
        self._spare = spare_faces
        gains = (sum(int(t.origins[place]) not in in_sight for place in in_sight) for t in turns)
        self._a_turn = max(gains, default=0) or 1
        self._ways = SightPaths(turns, in_sight)
        self._least_us = min((turn.time_us for turn in turns), default=0)
        self._worth_us = (look_us + self._least_us) // (4 * max(1, len(in_sight)))
        self._best_us = int(np.iinfo(np.int64).max)

    def quickest(self) -> list[list[AxialTurn]]:
        """Return the turns before each look; usually none before the first."""
        at_once = int(np.bitwise_or.reduce(self._bits[self._places]))
        beginnings = np.zeros(2, _BEGINNING)
        beginnings["axis"] = _LOOKED
        beginnings["seen"] = 0, at_once
        beginnings["time_us"] = 0, self._look_us
        layers = [beginnings]
        found = self._one_by_one()
        if len(found) == 1:
            return found
        facelets = np.tile(np.arange(54, dtype=np.uint8), (2, 1))
        while len(beginnings):
            following = self._following(beginnings, facelets)
            layers.append(following)
            ended = np.flatnonzero(self._left(following["seen"]) == 0)
            if len(ended):
                first = ended[following["time_us"][ended].argmin()]
                self._best_us = int(following["time_us"][first])
                found = self._traced(layers, first)
                following = following[following["least_us"] < self._best_us]
            beginnings, facelets = self._kept(following, facelets)
            layers[-1] = beginnings
        return found

    def _one_by_one(self) -> list[list[AxialTurn]]:
        """Bring the nearest unseen facelet into sight, and repeat."""
        found: list[list[AxialTurn]] = [[]]
        facelets = np.arange(54)
        seen = np.zeros(1, dtype=np.int64)
        self._best_us = 0
        while True:
            seen |= np.bitwise_or.reduce(self._bits[facelets[self._places]])
            self._best_us += self._look_us
            if not self._left(seen)[0]:
                return found
            missing = self._bits[facelets] & ~seen != 0
            place = int(np.where(missing, self._ways.times_us, np.inf).argmin())
            found.append([])
            while turn := self._ways.first[place]:
                found[-1].append(turn)
                facelets = facelets[turn.origins]
                place = int(np.flatnonzero(turn.origins == place)[0])
                self._best_us += turn.time_us

    def _following(self, beginnings: Beginnings, facelets: Places) -> Beginnings:
        """Return all beginnings extended by one turn, with and without a look after it."""
        every = []
        for number, turn in enumerate(self._turns):
            before = np.flatnonzero(beginnings["axis"] != turn.axis)
            shown = facelets[before][:, turn.origins[self._places]]
            visible = np.bitwise_or.reduce(self._bits[shown], axis=1)
            turned = beginnings[before]
            turned["parent"], turned["turn"], turned["axis"] = before, number, turn.axis
            turned["time_us"] += turn.time_us
            worth = visible & ~turned["seen"] != 0
            looked = turned[worth]
            looked["axis"] = _LOOKED
            looked["seen"] |= visible[worth]
            looked["looks"] += 1
            looked["time_us"] += self._look_us
            for each, known in ((looked, looked["seen"]), (turned, turned["seen"] | visible)):
                each["least_us"] = each["time_us"] + self._rest_us(each["seen"], known)
                each["hidden"] = self._left(known)
                every.append(each[each["least_us"] < self._best_us])
        return np.concatenate(every)

    def _rest_us(self, seen: Masks, shown: Masks) -> Numbers:
        """Return a lower bound of the time until enough is seen.

        Args:
            seen: The facelets seen.
            shown: The same, and those in sight.
        """
        looks = -(-self._left(seen) // max(1, len(self._places)))
        turns = -(-self._left(shown) // self._a_turn)
        rest_us: Numbers = looks * self._look_us + turns * self._least_us
        return rest_us

    def _left(self, seen: Masks) -> Numbers:
        """Return the number of unseen facelets on the faces that are not spared."""
        missing = self._wanted & ~seen
        if not self._spare:
            return _counts(missing)
        by_face = _counts(missing[:, None] & _FACES)
        left: Numbers = np.sort(by_face, axis=1)[:, : len(FACES) - self._spare].sum(axis=1)
        return left

    def _kept(self, found: Beginnings, facelets: Places) -> tuple[Beginnings, Places]:
        """Return the most promising beginnings for each number of looks, and their facelets."""
        hoped_us = found["least_us"] + found["hidden"] * self._worth_us
        found = found[np.argsort(hoped_us, kind="stable")]
        kept = [(found[:0], facelets[:0])]
        different = np.unique(found["looks"])
        width = WIDTH // max(1, len(different))
        for looks in different:
            same = found[found["looks"] == looks]
            few = same[: 4 * width]  # may contain the same beginning several times
            turned = np.empty((len(few), 54), dtype=np.uint8)
            for number, turn in enumerate(self._turns):
                of_turn = few["turn"] == number
                turned[of_turn] = facelets[few["parent"][of_turn]][:, turn.origins]
            first = np.sort(_first_of_each(turned, few["seen"].copy(), few["axis"]))
            kept.append((few[first[:width]], turned[first[:width]]))
        every, places = zip(*kept, strict=True)
        return np.concatenate(every), np.concatenate(places)

    def _traced(self, layers: Sequence[Beginnings], last: int) -> list[list[AxialTurn]]:
        """Return the turns before each look of a beginning in the last layer."""
        groups: list[list[AxialTurn]] = []
        for layer in reversed(layers[1:]):
            beginning = layer[last]
            if beginning["axis"] == _LOOKED:
                groups.append([])
            groups[-1].append(self._turns[beginning["turn"]])
            last = int(beginning["parent"])
        if layers[0][last]["seen"]:
            groups.append([])
        return [group[::-1] for group in reversed(groups)]


def _counts(masks: Masks) -> Numbers:
    counts: Numbers = np.bitwise_count(masks).astype(np.int64)
    return counts


def _first_of_each(facelets: Places, seen: Masks, axes: Numbers) -> Numbers:
    """Return the index of the first occurrence of each beginning."""
    told_by = np.column_stack([facelets, axes.astype(np.uint8), seen.view(np.uint8).reshape(-1, 8)])
    _, first = np.unique(np.ascontiguousarray(told_by).view("V63"), return_index=True)
    return first


def _mask(facelets: Iterable[int]) -> int:
    return sum(1 << facelet for facelet in facelets)


_FACES = np.array([_mask(range(9 * face, 9 * face + 9)) for face in range(6)], dtype=np.int64)


def plan_scan(
    rig: FaceMotorFile,
    sights: Sequence[Sight],
    wanted: frozenset[int],
    lanes: int | None,
    spare_faces: int,
) -> ScanProgram:
    """Find a quick scan; see `Mechanism.plan_scan`."""
    turns = axial_turns(rig, lanes)
    in_sight = frozenset[int]().union(*(sight.facelets for sight in sights))
    never = sorted(wanted & set(np.flatnonzero(np.isinf(SightPaths(turns, in_sight).times_us))))
    if len({facelet // 9 for facelet in never}) > spare_faces:
        names = facelets_text([facelet_name(facelet) for facelet in never])
        raise NotPossibleError(
            f"no camera sees {names}, and no motor can bring it into view: add or move a camera"
        )
    search = ScanSearch(turns, in_sight, wanted, 1000 * rig.settle_ms, spare_faces=spare_faces)
    cameras = tuple(range(len(sights)))
    stops = []
    places = np.arange(54)
    for group in search.quickest():
        for turn in group:
            places = places[turn.origins]
        moves = MoveSequence.of(move for turn in group for move in turn.moves)
        program = planner.plan(rig, moves, lanes) if group else RigProgram(())
        stops.append(ScanStop(program, cameras, tuple(map(int, places))))
    return ScanProgram(tuple(stops))


def axial_turns(rig: FaceMotorFile, lanes: int | None) -> list[AxialTurn]:
    """Return all possible turns of a rig about one axis."""
    found = []
    for face in FACES[:3]:
        pair = [each for each in (face, OPPOSITE_FACE[face]) if each in rig.motors]
        for amounts in product(range(4), repeat=len(pair)):
            moves = MoveSequence.of(
                Move(each, amount) for each, amount in zip(pair, amounts, strict=True) if amount
            )
            if moves:
                origins = np.array(SOLVED.apply(moves).facelet_places())
                time_us = round(1e6 * planner.plan(rig, moves, lanes).time_s) + rig.gap_us
                found.append(AxialTurn(moves, origins, time_us))
    return found
