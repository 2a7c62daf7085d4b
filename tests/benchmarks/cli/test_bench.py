"""The verbs `bench rigs`, `bench start` and `bench corners`."""

from collections.abc import Callable, Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cli import corners as corner_benchmark
from benchmarks.cli import start
from benchmarks.cli.rigs import claws_ms, cradle_actions, cradle_strides, without_upper_motor
from benchmarks.cli.start import ProcessCost, process_cost
from benchmarks.report import Figure
from cube.moves import ALL_MOVES, MoveSequence
from cube.orientation import Orientation
from cube.state import SOLVED, CubeState
from robot.rigs.action_machine.mechanism import shipped
from robot.rigs.action_machine.transitions import StateGraph
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import PAIR_KEYS, Corners
from run_thistlebot import record, records
from thistlebot.terminal.screen import Screen


@pytest.mark.parametrize("name", ["cubotino", pytest.param("five", marks=pytest.mark.exhaustive)])
def test_ours_are_quicker(name: str) -> None:
    told = record("bench", "rigs", "--rig", name, "--states", 2, "--budget-ms", 20)
    assert told["rig"] == name
    assert told["met"] is True
    assert 0 < told["mean_ratio"] <= told["worst_ratio"] < 1
    assert told["mean_s"] < told["others_s"]


def test_a_machine_that_nobody_translates_for_is_timed() -> None:
    told = record("bench", "rigs", "--rig", "three", "--states", 1, "--budget-ms", 20)
    assert told["rig"] == "three"
    assert told["mean_s"] > 0


def test_a_solve_is_measured_in_fresh_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a missed goal is marked: then the same costs are held against another one."""
    known: dict[tuple[str, ...], ProcessCost] = {}

    def once(command: list[str]) -> ProcessCost:
        key = tuple(command)
        known[key] = known.get(key) or process_cost(command)
        return known[key]

    monkeypatch.setattr(start, "process_cost", once)
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)  # tracing takes memory
    bench = ("bench", "start", "--runs", 1, "--objective", "htm")
    found = records(*bench)
    imports_ms, solve_ms, share, peak_mb = (each["value"] for each in found)
    assert imports_ms > 0
    assert solve_ms > start.BUDGET_MS  # the search is part of it
    assert share == pytest.approx(solve_ms / imports_ms, rel=0.02)
    assert 60 < peak_mb <= start.MOST_MB
    assert [each["goal"] for each in found] == ["", "", "≤ 3", "≤ 250"]
    assert found[-1]["met"] is True
    monkeypatch.setattr(start, "MOST_MB", 60.0)
    assert records(*bench)[-1]["met"] is False


CUBOTINO = StateGraph(shipped("cubotino"))

sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=25).map(MoveSequence.of)


@settings(max_examples=25)
@given(moves=sequences)
def test_the_translator_makes_the_moves(moves: MoveSequence) -> None:
    held, made = Orientation(), []
    state = CUBOTINO.start
    for stride in cradle_strides(CUBOTINO, cradle_actions(moves)):
        assert stride.before == state
        made += [held.move_of(turn.place, turn.quarters) for turn in stride.turns]
        held, state = held.then(stride.rotation), stride.after
    assert SOLVED.apply(MoveSequence.of(made)) == SOLVED.apply(moves)
    assert CUBOTINO.text(state).startswith("holder middle")


def test_the_translator_does_what_its_description_says() -> None:
    for moves, actions in (
        ("D", "R- S+"),
        ("D2", "R- S+ R- S+"),
        ("D D'", "R- R+"),
        ("U", "F F R- S+"),
        ("B F", "F R- S+ F F R- S+"),
    ):
        assert " ".join(cradle_actions(MoveSequence.parse(moves))) == actions


@settings(max_examples=25)
@given(moves=sequences)
def test_five_motors_do_without_the_sixth(moves: MoveSequence) -> None:
    replaced = without_upper_motor(moves)
    assert all(move.face != "U" for move in replaced)
    assert SOLVED.apply(replaced) == SOLVED.apply(moves)


def test_four_claws_take_a_cube_turn_there_and_back_for_the_upper_face() -> None:
    assert claws_ms(MoveSequence.parse("F")) == 2000
    assert claws_ms(MoveSequence.parse("R2")) == 4000
    assert claws_ms(MoveSequence.parse("U'")) == 8000


SAFE = Corners(
    cut=33.0,
    anti_cut=29.0,
    cut_after_half=33.0,
    anti_cut_after_half=29.0,
    opposite=33.0,
    **dict.fromkeys(PAIR_KEYS, 24.0),
)


def calibrated_to(angles: Corners) -> Callable[[FaceMotors, int], FaceMotors]:
    return lambda rig, _: msgspec.structs.replace(rig, corners=angles)


def test_goals_are_met_with_safe_angles_and_missed_with_angles_that_jam(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(corner_benchmark, "calibrated", calibrated_to(SAFE))
    args = ("--programs", 20, "--budget-ms", 20, "--states", 0)
    found = {each["name"]: each for each in records("bench", "corners", *args)}
    assert all(record["met"] for record in found.values())
    assert found["20 single quarter turns, without overlap"]["value"] == 801.9
    programs = "programs of 10 with a jam or a lost step"
    for board in ("two lanes", "four lanes"):
        assert found[f"{board}: {programs}"]["value"] == 0
        wide = f"{board}, 5° too wide: solutions of 20 that jam"
        assert found[wide]["value"] > 15
        assert found[f"{wide} unseen"]["value"] == 0
    monkeypatch.setattr(corner_benchmark, "calibrated", calibrated_to(SAFE.widened(4)))
    missed = []
    for figure in corner_benchmark.measure([MoveSequence.parse("R U")], 20, Random(1)):
        missed += [] if figure.met else [figure.name]
        if programs in figure.name:  # of the first board
            break
    assert f"two lanes: {programs}" in missed
    assert "20 single quarter turns, corners cut, slowest of 20" in missed


def test_what_the_transitions_save_is_said_with_its_standard_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two cubes one alone is quicker: half the difference is saved, give or take half."""

    def moves(rigs: Sequence[FaceMotors], cubes: list[CubeState], *_: object) -> list[list]:
        """What knows the corners turns a cut in the first cube, what ignores them an anti-cut."""
        knows = [rig.corners.widest_deg == corner_benchmark.CUT_DEG for rig in rigs]
        first = [MoveSequence.parse("R U'" if cuts else "R U") for cuts in knows]
        return [[each, MoveSequence.parse("R U")][: len(cubes)] for each in first]

    def compared(cubes: int) -> dict[str, Figure]:
        figures = corner_benchmark.compare([SOLVED] * cubes, 1.0, Screen(quiet=True))
        return {figure.name: figure for figure in figures}

    monkeypatch.setattr(corner_benchmark, "_moves", moves)
    monkeypatch.setattr(corner_benchmark, "calibrated", calibrated_to(SAFE))
    told, found, both = "two lanes, 45° and 15°: least time", compared(1), compared(2)
    ignored, known = (
        found[f"{told}, {how}"].value for how in ("transitions ignored", "searched with them")
    )
    saved = found[f"{told}, quicker by"]
    assert saved.met
    assert saved.value == pytest.approx(100 * (1 - known / ignored), abs=0.2)
    assert not found["four lanes, calibrated: least time, quicker by"].met
    half, error = both[f"{told}, quicker by"].value, both[f"{told}, standard error of that"].value
    assert half > 1
    assert error == pytest.approx(half, abs=0.1)
