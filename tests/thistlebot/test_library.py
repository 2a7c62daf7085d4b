"""The names for Python programs."""

import threading
from pathlib import Path

import pytest
from hand_video import record

import thistlebot
from cube.state import SOLVED
from solver.stages.solution import Solution
from thistlebot.errors import MisreadError, StoppedError, UnsolvableCubeError
from thistlebot.events import Event, Turned
from vision.live.capture import CAPTURE_ORDER

CUBE = thistlebot.Cube.random(3)


def test_cubes_are_read_turned_and_drawn() -> None:
    cube = thistlebot.Cube.scrambled("R U")
    assert cube.turned("U' R'").solved
    assert thistlebot.Cube.parse(cube.facelets) == cube
    assert cube._repr_svg_().startswith("<svg")
    with pytest.raises(UnsolvableCubeError):
        thistlebot.Cube.parse("RUUUUUUUU" + SOLVED.to_facelets().text[9:].replace("R", "U", 1))
    assert not hasattr(thistlebot, "nothing")


def test_a_search_tells_better_solutions_and_is_cancelled() -> None:
    enough, lengths, shares = threading.Event(), list[int](), list[float]()

    def better(found: Solution) -> None:
        lengths.append(len(found.moves))
        enough.set()

    found = thistlebot.solve(
        CUBE, budget_ms=3e5, on_better=better, cancel=enough, progress=shares.append
    )
    assert CUBE.turned(found.moves).solved
    assert lengths
    target = thistlebot.Cube.scrambled("M2 E2 S2")
    assert CUBE.turned(thistlebot.solve(CUBE, target=target).moves) == target


def test_faces_before_a_camera_are_read_with_guidance(tmp_path: Path) -> None:
    record(tmp_path / "faces.avi", CUBE.state, CAPTURE_ORDER)
    told = set[str]()
    reading = thistlebot.read_camera(
        str(tmp_path / "faces.avi"), lambda step: told.add(step.guidance)
    )
    assert thistlebot.Cube.of(reading) == CUBE
    assert len(told) > 6


def test_a_rig_reads_turns_stops_and_makes_targets_and_doubt_is_no_cube() -> None:
    with pytest.raises(RuntimeError):
        thistlebot.Rig(virtual=True).read()
    with thistlebot.Rig("six", virtual=True) as rig:
        rig.put_in(CUBE)

        def stop(event: Event) -> None:
            if isinstance(event, Turned):
                rig.stop()

        with pytest.raises(StoppedError):
            rig.turn("R U F " * 9, stop)
        plan = rig.solve()
        assert plan.state != CUBE.state
        assert thistlebot.Cube.of(rig.read()).solved
        target = thistlebot.Cube.scrambled("M2 E2 S2")
        rig.solve(target=target)
        assert thistlebot.Cube.of(rig.read()) == target
        rig.put_in(CUBE)
        hand = lambda: ("F8", "F9", "R1", "U5", "U8")  # noqa: E731
        rig.machine.world.cameras[0]._covered = hand  # a virtual one
        with pytest.raises(MisreadError):
            thistlebot.Cube.of(rig.read())


def test_texts_are_short_and_errors_are_names_of_the_package() -> None:
    cube = thistlebot.Cube.scrambled("R U")
    solution = thistlebot.solve(cube, budget_ms=5)
    with thistlebot.Rig("six", virtual=True) as rig:
        texts = (str(cube), str(solution), str(rig.plan("R U")))
    assert texts[:2] == (cube.facelets, "U' R' (2 turns)")
    assert texts[2].startswith("2 steps in ")
    with pytest.raises(thistlebot.NotationError):
        thistlebot.Cube.scrambled("R9")
    assert issubclass(thistlebot.LinkError, thistlebot.ThistlebotError)
    with pytest.raises(AttributeError):
        getattr(thistlebot, "NoSuchError")  # noqa: B009 - mypy knows that there is none
