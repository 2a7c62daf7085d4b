"""The verb `bench rigs`: machines of other kinds beside the programs that others turn."""

import json

import pytest

from run_thistlebot import thistlebot


@pytest.mark.parametrize("name", ["cubotino", "five"])
def test_ours_are_quicker(name: str) -> None:
    run = thistlebot("bench", "rigs", "--rig", name, "--states", 2, "--budget-ms", 20, "--json")
    assert run.exit_code == 0, run.output
    (record,) = [json.loads(line) for line in run.stdout.splitlines()]
    assert record["rig"] == name
    assert record["met"] is True
    assert 0 < record["mean_ratio"] <= record["worst_ratio"] < 1
    assert record["mean_s"] < record["others_s"]


def test_a_machine_that_nobody_translates_for_is_timed() -> None:
    run = thistlebot("bench", "rigs", "--rig", "three", "--states", 1, "--budget-ms", 20)
    assert run.exit_code == 0, run.output
    assert "three" in run.stdout
    assert "goals missed: none" in run.stdout


def test_an_unknown_machine_is_named() -> None:
    run = thistlebot("bench", "rigs", "--rig", "four")
    assert run.exit_code == 2
    assert "four-claws" in run.output
