"""Targets other than the solved cube: what they are, and sessions that bring cubes there."""

import pytest
from cubes import RANDOM_CUBES
from faulty_rig import Faults
from hypothesis import given, settings
from hypothesis import strategies as st
from world import SCRAMBLED, World

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.orientation import Orientation, facelet_places, orientations
from cube.state import CubeState
from thistlebot.errors import NotVerifiedError
from thistlebot.events import Diagnosed, Planned, Verified
from thistlebot.session.target import Target
from thistlebot.solving.solver import Solve

SCHEME = tuple(WESTERN_SCHEME.items())
CUBE_IN_CUBE = Target.of("cube in cube")


@settings(max_examples=25)
@given(RANDOM_CUBES, st.sampled_from(orientations()))
def test_a_cube_that_is_held_otherwise_is_to_show_the_same_colours(
    wanted: CubeState, held: Orientation
) -> None:
    before, colour_of = Target(wanted, SCHEME), dict(SCHEME)
    scheme = tuple((place, colour_of[held.face_at(place)]) for place in FACES)
    after = before.named_as(scheme)
    shown = [dict(scheme)[letter] for letter in after.facelets.text]
    expected = [colour_of[before.facelets.text[each]] for each in facelet_places(held)]
    assert shown == expected
    assert after.named_as(SCHEME) == before


def test_a_cube_in_other_colours_keeps_the_places() -> None:
    other = tuple(zip(FACES, ("black", *list(WESTERN_SCHEME.values())[1:]), strict=True))
    wanted = Target(SCRAMBLED, SCHEME)
    assert wanted.named_as(other) == Target(SCRAMBLED, other)
    assert wanted.named_as(()) == wanted
    mirrored = tuple(zip(FACES, ("white", "orange", "green", "yellow", "red", "blue"), strict=True))
    assert wanted.named_as(mirrored).state == SCRAMBLED


def test_a_pattern_is_made_and_seen(solve: Solve) -> None:
    world = World(solve, "cubotino-fast", target=CUBE_IN_CUBE)
    plan = world.run()
    assert world.rig.state == CUBE_IN_CUBE.state
    assert plan.solution.target == plan.state.apply(plan.solution.moves)
    assert [(event.solved, event.reached) for event in world.of(Verified)] == [(False, True)]


def test_a_cube_that_was_not_flipped_is_known_by_its_centres(solve: Solve) -> None:
    sound = World(solve, "cubotino", target=CUBE_IN_CUBE)
    sound.ready()
    begun = [-sound.rig.board.executed]
    sound.on_event = lambda event: (
        begun.append(sound.rig.board.executed) if isinstance(event, Planned) else None
    )
    turns = sound.mechanism.cube_turns(sound.run().program)
    flip = [turn for turn in turns if turn.does.startswith("flip")][3]
    faults = Faults(loose_at_move=sum(begun) + flip.step + 1)
    world = World(solve, "cubotino", faults=faults, target=CUBE_IN_CUBE)
    world.run()
    assert world.rig.state == CUBE_IN_CUBE.state
    (told,) = world.of(Diagnosed)
    assert told.blamed[0] == "the cover"
    assert told.deviations[0].step == flip.step + 1
    assert flip.does in told.text
    targets = [each.solution.target for each in world.of(Planned)]
    assert targets[0] != targets[1]


def test_a_target_that_is_not_reached_is_told_as_such(solve: Solve) -> None:
    world = World(solve, faults=Faults(slip_at_move=4), target=CUBE_IN_CUBE)
    with pytest.raises(NotVerifiedError, match=f"`thistlebot solve --to {CUBE_IN_CUBE.facelets}`"):
        world.run()
