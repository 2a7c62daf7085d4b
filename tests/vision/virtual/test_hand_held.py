"""A rendered person shows and turns a cube."""

import numpy as np

from cube.moves import Move
from cube.random_states import random_state
from vision.faces.finder import find_face
from vision.virtual.hand_held import HandHeldCube

STATE = random_state(np.random.default_rng(2))


def test_a_face_that_is_held_is_found_where_it_trembles() -> None:
    for face in "UB":
        cube = HandHeldCube(STATE, seed=1)
        assert sum(1 for _ in cube.show(face, away=2)) == 2
        found = [find_face(frame.image) for frame in cube.hold(3)]
        assert all(found)
        first, last = (np.array(each.corners) for each in (found[0], found[-1]) if each is not None)
        assert 0.0 < np.abs(first - last).max() < 15.0


def test_a_turn_takes_pictures_and_changes_the_cube_at_its_end() -> None:
    cube = HandHeldCube(STATE, seed=2)
    list(cube.show("F"))
    [before] = cube.hold(1)
    pictures = []
    for frame in cube.turn(Move.parse("U2")):
        assert cube.state == STATE
        pictures.append(frame.image)
    assert cube.state == STATE.apply(Move.parse("U2"))
    assert len(pictures) == 2 * len(list(cube.turn(Move.parse("R'"))))
    assert all((picture != before.image).mean() > 0.05 for picture in pictures)


def test_the_same_seed_gives_the_same_pictures() -> None:
    one, same, other = (list(HandHeldCube(STATE, seed=seed).hold(2)) for seed in (3, 3, 4))
    assert all((a.image == b.image).all() for a, b in zip(one, same, strict=True))
    assert (one[0].image != other[0].image).any()
