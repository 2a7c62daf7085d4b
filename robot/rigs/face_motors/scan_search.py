"""A quick scan of a fixed cube: looks, and turns of layers between them.

A facelet is seen if it was in sight at some look. The search looks at once, then makes the turns,
about one axis or about two, that show the most new facelets in their time, looks again, and so on.
If faces may stay unseen, it tries each of them. With one or two cameras and six motors this takes
as long as the quickest scan that a search through thousands of beginnings finds, or up to 0.2 s
longer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from cube.facelets import facelet_name, facelets_text
from cube.moves import FACES, MoveSequence
from cube.state import SOLVED
from robot.errors import NotPossibleError
from robot.rigs.face_motors import planner
from robot.rigs.face_motors.rig_file import FaceMotorFile
from robot.rigs.mechanism import ScanProgram, ScanStop, Sight
from robot.rigs.program import RigProgram


@dataclass(frozen=True, slots=True)
class Way:
    """Turns between two looks.

    Attributes:
        moves: The turns.
        origins: For each of the 54 places, the place of its facelet before the turns.
        time_us: Duration, including the pauses after the turns.
    """

    moves: MoveSequence
    origins: npt.NDArray[np.int64]
    time_us: int

    def then(self, other: "Way") -> "Way":
        """Return these turns followed by others."""
        moves = MoveSequence(self.moves.moves + other.moves.moves)
        return Way(moves, self.origins[other.origins], self.time_us + other.time_us)


_STAY = Way(MoveSequence(), np.arange(54), 0)


def quickest_looks(
    turns: Sequence[Way],
    pairs: Sequence[Way],
    in_sight: frozenset[int],
    wanted: frozenset[int],
    look_us: int,
) -> list[Way]:
    """Return the turns before each look; usually none before the first.

    Args:
        turns: The turns of the rig about one axis.
        pairs: Those about one axis and then another.
        in_sight: The places that a camera sees.
        wanted: The facelets that must be seen; turns can bring all of them into sight.
        look_us: Duration of a look.
    """
    sight = np.array(sorted(in_sight), dtype=np.int64)
    bits = np.array([(at in wanted) << at for at in range(54)], dtype=np.int64)
    longest, ways = pairs, [_STAY, *turns, *pairs]
    seen = np.array([way.origins[sight] for way in ways])
    facelets, left = _STAY.origins, int(np.bitwise_or.reduce(bits))
    found: list[Way] = []
    while left:
        shown = np.bitwise_or.reduce(bits[facelets[seen]], axis=1)
        fresh = np.bitwise_count(shown & left)
        if not fresh.any():
            longest = longer(longest, turns)
            ways += longest
            seen = np.array([way.origins[sight] for way in ways])
            continue
        times_us = np.array([way.time_us + look_us for way in ways])
        best = 0 if fresh[0] and not found else int((fresh / times_us).argmax())
        found.append(ways[best])
        facelets = facelets[ways[best].origins]
        left &= ~int(shown[best])
    return found


def longer(ways: Sequence[Way], turns: Sequence[Way]) -> list[Way]:
    """Return ways with one more turn, about another axis than their last one."""
    return [
        way.then(turn) for way in ways for turn in turns if way.moves[-1].axis != turn.moves[0].axis
    ]


def plan_scan(
    rig: FaceMotorFile,
    sights: Sequence[Sight],
    wanted: frozenset[int],
    lanes: int | None,
    spare_faces: int,
) -> ScanProgram:
    """Find a quick scan; see `Mechanism.plan_scan`."""
    turns = turn_ways(rig, lanes)
    in_sight = frozenset[int]().union(*(sight.facelets for sight in sights))
    reachable = _reachable(turns, in_sight)
    never = sorted(wanted - reachable)
    if len({facelet // 9 for facelet in never}) > spare_faces:
        names = facelets_text([facelet_name(facelet) for facelet in never])
        raise NotPossibleError(
            f"no camera sees {names}, and no motor can bring it into view: add or move a camera"
        )
    look_us = 1000 * rig.settle_ms
    needed = (
        frozenset(at for at in wanted if at // 9 not in spared)
        for spared in combinations(range(len(FACES)), spare_faces)
    )
    pairs = longer(turns, turns)
    found = [
        quickest_looks(turns, pairs, in_sight, each, look_us)
        for each in needed
        if each <= reachable
    ]
    stops = []
    places = np.arange(54)
    for way in min(found, key=lambda ways: sum(way.time_us + look_us for way in ways)):
        places = places[way.origins]
        program = planner.plan(rig, way.moves, lanes) if way.moves else RigProgram(())
        stops.append(ScanStop(program, tuple(range(len(sights))), tuple(map(int, places))))
    return ScanProgram(tuple(stops))


def _reachable(turns: Sequence[Way], in_sight: frozenset[int]) -> frozenset[int]:
    """Return the facelets that turns can bring into sight."""
    found, before = in_sight, frozenset[int]()
    while found != before:
        before = found
        found |= {int(turn.origins[place]) for turn in turns for place in before}
    return found


def turn_ways(rig: FaceMotorFile, lanes: int | None) -> list[Way]:
    """Return all possible turns of a rig about one axis."""
    found = []
    for moves in map(MoveSequence, planner.axial_turns(rig)):
        origins = np.array(SOLVED.apply(moves).facelet_places())
        time_us = round(1e6 * planner.plan(rig, moves, lanes).time_s) + rig.gap_us
        found.append(Way(moves, origins, time_us))
    return found
