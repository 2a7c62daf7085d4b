"""The verb `compare`: what it prints for programs."""

import json

from run_thistlebot import thistlebot
from solver.methods.catalogue import PUBLISHED


def test_the_records_are_states_then_methods_then_published_figures() -> None:
    methods = ("bidirectional", "layers")
    given = ("--scramble", "R U", "--methods", ",".join(methods))
    result = thistlebot("compare", *given, "--json")
    assert result.exit_code == 0, result.stderr
    state, *rest = (json.loads(line) for line in result.stdout.splitlines())
    assert [attempt["method"] for attempt in state["attempts"]] == [*methods]
    assert [record["method"] for record in rest[:2]] == [*methods]
    assert [record["solved"] for record in rest[:2]] == [1, 1]
    assert rest[0]["mean_htm"] == 2
    beside = [figure for figure in PUBLISHED if figure.beside in methods and not figure.facelets]
    assert beside
    assert [record["source"] for record in rest[2:]] == [figure.source for figure in beside]
