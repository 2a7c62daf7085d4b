"""The verb `bench rigs`: machines of other kinds beside the programs that others turn."""

import pytest

from run_thistlebot import record


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
