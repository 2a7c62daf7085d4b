"""The quickest scan of a cube that stays where it is: looks, and turns of layers between them."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from cube.facelets import facelet_name, facelets_text
from cube.moves import FACES, OPPOSITE_FACE, Move, MoveSequence
from cube.state import SOLVED
from robot.errors import NotPossibleError
from robot.rigs.face_motors import planner
from robot.rigs.face_motors.rig_file import FaceMotorFile
from robot.rigs.face_motors.scan_search import AxialTurn, ScanSearch, SightPaths
from robot.rigs.program import RigProgram
from robot.rigs.scanning import ScanProgram, ScanStop, Sight


def plan_scan(
    rig: FaceMotorFile,
    sights: Sequence[Sight],
    wanted: frozenset[int],
    lanes: int | None,
    spare_faces: int,
) -> ScanProgram:
    """Find the quickest scan; see `Mechanism.plan_scan`."""
    turns = axial_turns(rig, lanes)
    in_sight = frozenset[int]().union(*(sight.facelets for sight in sights))
    never = sorted(wanted & set(np.flatnonzero(np.isinf(SightPaths(turns, in_sight).times_us))))
    if len({facelet // 9 for facelet in never}) > spare_faces:
        names = facelets_text([facelet_name(facelet) for facelet in never])
        raise NotPossibleError(
            f"no camera sees {names}, and no motor brings it into sight: add a camera or move one"
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
    """Return everything that a rig can turn about one axis."""
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
