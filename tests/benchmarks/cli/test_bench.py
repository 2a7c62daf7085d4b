"""The verbs of the group `bench`."""

from run_thistlebot import records


def test_the_same_plans_take_the_same_time_anywhere() -> None:
    again = [records("bench", "rigs", "--states", 2, "--rig", "three") for _ in range(2)]
    assert again[0] == again[1]
    (planned,) = again[0]
    assert planned["states"] == 2
    assert 0 < planned["scan_s"] < planned["solve_s"] <= planned["longest_s"]
