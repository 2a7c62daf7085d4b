"""Thistlethwaite's stages by table and by search, S2's example, and S3's invariants."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.stages.solution import ALL_CHAINS, S2_CHAIN, Chain
from solver.stages.thistlethwaite import StageTables
from teaching.methods import thistlethwaite
from teaching.methods.method import walk
from teaching.methods.stage_words import invariants
from teaching.methods.thistlethwaite import by_iddfs, by_table, five_stages, solve_stage
from teaching.methods.worked_example import WorkedExample


def states(count: int, seed: int = 1) -> list[CubeState]:
    rng = np.random.default_rng(seed)
    return [random_state(rng) for _ in range(count)]


def test_s2s_example_is_shortest_in_each_of_its_five_stages(
    stage_tables: StageTables,
) -> None:  # S2
    here = WorkedExample().state
    for number, (stage, theirs) in enumerate(
        zip(five_stages(stage_tables), WorkedExample().stages, strict=True), start=1
    ):
        for search in (by_table, by_iddfs):
            ours = solve_stage(stage, here, S2_CHAIN, search)
            assert S2_CHAIN.five_level(here.apply(ours)) >= number
            assert len(ours) <= len(theirs)
        here = here.apply(theirs)
        assert S2_CHAIN.five_level(here) == number
    assert here == SOLVED


def test_search_and_table_agree_on_every_stage(stage_tables: StageTables) -> None:
    for stages in (thistlethwaite.four_stages(stage_tables), five_stages(stage_tables)):
        for state in states(5):
            here = state
            for stage in stages:
                ours = [
                    solve_stage(stage, here, Chain(), search) for search in (by_table, by_iddfs)
                ]
                assert len(ours[0]) == len(ours[1])
                here = here.apply(ours[0])
            assert here == SOLVED


def test_five_stages_in_one_orientation_take_what_s2_says(stage_tables: StageTables) -> None:
    method = thistlethwaite.Thistlethwaite("s2", five_stages(stage_tables), by_table, (S2_CHAIN,))
    lengths = [sum(len(step.moves) for step in method.steps(state)) for state in states(60)]
    assert np.mean(lengths) == pytest.approx(36.23, abs=1.0)  # S2: over 100 solves


def test_each_stage_keeps_to_the_turns_that_are_left(stage_tables: StageTables) -> None:
    for method in thistlethwaite.thistlethwaite_methods(stage_tables):
        dropped = (0, 1, 2, 2, 3) if method.five else (0, 1, 2, 3)
        steps = walk(method, states(1, 8)[0]).steps
        assert len(steps) == len(dropped)
        fitting = [
            chain
            for chain in ALL_CHAINS
            if all(
                chain.allows(move, gone)
                for step, gone in zip(steps, dropped, strict=True)
                for move in step.moves
            )
        ]
        assert fitting


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from(ALL_CHAINS))
def test_invariants_say_which_stage_is_reached(seed: int, chain: Chain) -> None:  # S3
    state = states(1, seed)[0]
    found = invariants(state, chain)
    assert (not found.flipped) == (chain.level(state) >= 1)
    for move in ALL_MOVES:  # Phi1: the turns that are left keep every edge's angle
        if chain.allows(move, 1):
            assert set(invariants(state.apply(move), chain).flipped) == set(found.flipped)
