"""Programmes of looks: possible, complete, and none quicker."""

import itertools

import pytest

from cube.moves import FACES
from cube.orientation import Orientation, orientations
from robot.errors import NotPossibleError
from robot.rigs.action_machine.deeds import Machine
from robot.rigs.action_machine.looking import Looking, PlaceSight, plan_looks
from robot.rigs.action_machine.shipped import shipped

LOOK_MS = 200
MACHINES = {name: Machine(shipped(name)) for name in ("cubotino", "mindcub3r", "three", "claws")}


def sight(name: str, places: str, **needs: str) -> PlaceSight:
    found = MACHINES[name]
    where = found.rig.variables
    return PlaceSight(
        tuple(places),
        tuple(
            (found.names.index(part), frozenset({where[part].places.index(place)}))
            for part, place in needs.items()
        ),
    )


ABOVE = sight("cubotino", "U", cover="open")


def replayed(
    machine: Machine, sights: list[PlaceSight], looking: Looking, start: Orientation
) -> str:
    """Do what a programme says, and return the faces that the cameras saw."""
    state, held, seen, time_ms = machine.start, start, set[str](), 0
    for look in looking.looks:
        for stride in look.strides:
            assert stride.before == state
            assert not stride.turns
            state, held = stride.after, held.then(stride.rotation)
            time_ms += stride.time_ms
        places = {place for each in sights if each.open_in(state) for place in each.places}
        assert dict(look.shown) == {place: held.face_at(place) for place in places}
        assert look.held == held
        seen |= {face for _, face in look.shown}
        time_ms += LOOK_MS
    assert (state, held, time_ms) == (looking.state, looking.held, looking.time_ms)
    return "".join(face for face in FACES if face in seen)


@pytest.mark.parametrize("start", orientations()[::5])
def test_a_cradle_shows_all_faces(start: Orientation) -> None:
    machine = MACHINES["cubotino"]
    looking = plan_looks(machine, [ABOVE], LOOK_MS, machine.start, start)
    assert replayed(machine, [ABOVE], looking, start) == FACES
    assert len(looking.looks) == 6


def test_fewer_faces_take_less_time() -> None:
    machine = MACHINES["cubotino"]
    times = [
        plan_looks(machine, [ABOVE], LOOK_MS, machine.start, Orientation(), enough=enough).time_ms
        for enough in range(1, 7)
    ]
    assert times == sorted(set(times))
    assert times[0] == LOOK_MS


def test_what_was_seen_is_not_looked_at_again() -> None:
    machine = MACHINES["cubotino"]
    for seen in itertools.combinations(FACES, 4):
        looking = plan_looks(
            machine, [ABOVE], LOOK_MS, machine.start, Orientation(), seen="".join(seen)
        )
        shown = {face for look in looking.looks for _, face in look.shown}
        assert shown | set(seen) == set(FACES)
        assert not shown & set(seen) or len(looking.looks) == 2


def test_no_programme_of_few_strides_is_quicker() -> None:
    """Every row of strides is tried, as far as it takes no longer than the programme."""
    machine, wanted = MACHINES["mindcub3r"], 3
    above = sight("mindcub3r", "U", arm="away")
    looking = plan_looks(machine, [above], LOOK_MS, machine.start, Orientation(), enough=wanted)
    quickest = 10**9

    def tried(state: tuple[int, ...], held: Orientation, seen: frozenset[str], ms: int) -> None:
        nonlocal quickest
        if ms >= min(quickest, looking.time_ms):
            return
        if above.open_in(state) and held.face_at("U") not in seen:
            seen, ms = seen | {held.face_at("U")}, ms + LOOK_MS
            if len(seen) == wanted:
                quickest = min(quickest, ms)
                return
        for stride in machine.strides[state]:
            if not stride.turns:
                tried(stride.after, held.then(stride.rotation), seen, ms + stride.time_ms)

    tried(machine.start, Orientation(), frozenset(), 0)
    assert quickest >= looking.time_ms


def test_claws_that_two_cameras_look_at_need_three_looks() -> None:
    machine, both = MACHINES["claws"], sight("claws", "UD")
    looking = plan_looks(machine, [both], LOOK_MS, machine.start, Orientation())
    assert replayed(machine, [both], looking, Orientation()) == FACES
    assert len(looking.looks) == 3


def test_faces_that_no_camera_ever_sees_are_told() -> None:
    machine, sides = MACHINES["three"], sight("three", "FB")
    with pytest.raises(NotPossibleError, match=r"see 4 faces at most \(R F L B\), not 6"):
        plan_looks(machine, [sides], LOOK_MS, machine.start, Orientation())
    four = plan_looks(machine, [sides], LOOK_MS, machine.start, Orientation(), enough=4)
    assert replayed(machine, [sides], four, Orientation()) == "RFLB"
