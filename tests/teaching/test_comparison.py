"""Methods compared: on cores, on a cluster, as records and as a picture."""

import importlib
import os
from collections.abc import Iterable

import pytest
from cubes import cube, cube_after

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.rigs.catalogue import default_rig
from run_thistlebot import records, thistlebot
from solver.errors import SolverError
from teaching import comparison
from teaching.comparison import MethodAttempt, StateTrial, attempt_all, run_trials
from teaching.comparison_report import published, results, table
from teaching.methods.catalogue import PUBLISHED, load_method, parameters
from thistlebot.errors import UsageError

QUICK = ("thistlethwaite", "thistlethwaite-five")


def states(count: int) -> list[str]:
    return [cube(seed).to_facelets().text for seed in range(count)]


def test_what_a_method_does_not_reach_is_no_success() -> None:
    methods = ("--methods", "fridrich-plain:generations=9,thistlethwaite")
    lines = records("school", "compare", "--states", 1, "--jobs", 1, *methods)
    assert lines[0]["attempts"][0]["moves"] is None
    assert "9" in lines[0]["attempts"][0]["problem"].split()
    assert [line["solved"] for line in lines[1:3]] == [0, 1]
    assert lines[2]["machine_s"]["six"] > 0


def test_s4s_states_stand_beside_s4s_figures() -> None:  # S4
    cubes = [figure.facelets for figure in PUBLISHED if figure.facelets]
    trials = [StateTrial(cube, ()) for cube in cubes[:2]]
    assert [figure.moves for figure in published(trials, ("two-phase",))] == [20.0, 21.0]
    result = thistlebot("school", "compare", "--s4", "--methods", "thistlethwaite", "--jobs", 1)
    assert "3 of 3" in result.output


def solves_all(trials: Iterable[StateTrial], cubes: list[str]) -> None:
    made = list(trials)
    assert sorted(trial.facelets for trial in made) == sorted(cubes)
    for trial in made:
        state = CubeState.from_facelets(Facelets(trial.facelets))
        for attempt in trial.attempts:
            assert attempt.moves is not None
            assert state.apply(MoveSequence.parse(attempt.moves)) == SOLVED


def test_processes_on_two_cores() -> None:
    cubes = states(3)
    solves_all(run_trials(cubes, QUICK, jobs=2), cubes)


def test_a_cluster_of_two_workers() -> None:
    if os.environ.get("CI") != "true":  # with CI=true a missing package fails
        pytest.importorskip("distributed", reason="the extra cluster is not installed")
    distributed, cubes = importlib.import_module("distributed"), states(4)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        solves_all(run_trials(cubes, QUICK, scheduler=cluster.scheduler_address), cubes)


def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "_CONNECT_S", 0.1)
    with pytest.raises(UsageError, match=r"127\.0\.0\.1:1"):
        next(run_trials(states(1), QUICK, scheduler="127.0.0.1:1"))


def test_sums_are_those_of_the_trials() -> None:
    trials = [attempt_all(cube, QUICK) for cube in states(3)]
    found = results(trials, QUICK, {"one": default_rig(), "two": default_rig()})
    lengths = [len(MoveSequence.parse(trial.attempts[0].moves or "")) for trial in trials]
    assert found[0].mean_htm == pytest.approx(sum(lengths) / 3)
    assert found[0].mean_axial_htm <= found[0].mean_htm <= found[0].mean_qtm
    assert found[0].machine_s["one"] == found[0].machine_s["two"] > 1
    assert published(trials, QUICK) == []
    assert len(table(found, [])) == 3
    # means over nothing are zero
    failed = StateTrial(FACELETS, (MethodAttempt("backtracking", None, 12.0, "too far"),))
    (found,) = results([failed], ("backtracking",), {"one": default_rig()})
    assert (found.states, found.solved, found.htm) == (1, 0, ())
    assert found.mean_htm == found.mean_qtm == found.mean_axial_htm == found.mean_axial_qtm == 0
    assert found.cpu_ms == found.machine_s["one"] == 0


FACELETS = cube_after("R U F2 D'").to_facelets().text


def test_the_records_are_states_then_methods_then_published_figures() -> None:
    methods = ("bidirectional", "layers")
    state, *rest = records("school", "compare", "--scramble", "R U", "--methods", ",".join(methods))
    assert [attempt["method"] for attempt in state["attempts"]] == [*methods]
    assert [record["method"] for record in rest[:2]] == [*methods]
    assert [record["solved"] for record in rest[:2]] == [1, 1]
    assert rest[0]["mean_htm"] == 2
    beside = [figure for figure in PUBLISHED if figure.beside in methods and not figure.facelets]
    assert beside
    assert [record["source"] for record in rest[2:]] == [figure.source for figure in beside]


def test_parameters_are_part_of_a_methods_name() -> None:
    names = ("fridrich-plain:population=50:survivors=5:generations=99", "thistlethwaite-five:one")
    trials = [attempt_all(FACELETS, names)]
    assert [figure.moves for figure in published(trials, names)] == [101.0, 36.23]
    for wrong in (
        "fridrich:population=9",
        "fridrich-plain:one",
        "layers:one",
        "fridrich-plain:x",
        "fridrich-plain:population=N",
        "thistlethwaite:one=2",
    ):
        with pytest.raises(SolverError):
            parameters(wrong)
    with pytest.raises(SolverError):
        load_method("fridrich-plain:population=5:survivors=5")
