"""What the axial tables keep of the states near G2, beside turns made one by one."""

import numpy as np
import pytest

from solver.goal import Goal
from solver.kernels import packed, slots
from solver.search.metrics import METRICS
from solver.search.tables.axial_turns import AXIAL_TURNS, turns_costing
from solver.search.tables.packed_corners import axial_turned_corners
from solver.search.tables.turns import TURN_TABLE_SET
from solver.table_files import Arrays
from solver.tables import TableStore

STILL = packed.pack_corners(range(8))


@pytest.fixture(scope="module", params=[Goal.AXIAL, Goal.AXIAL_QTM])
def tables(request: pytest.FixtureRequest, store: TableStore) -> Arrays:
    base, search = METRICS[Goal.HTM].six, METRICS[request.param].six
    arrays = dict(store.obtain(TURN_TABLE_SET).arrays)
    for each in (base, search):
        arrays |= store.obtain(each.tables).arrays
    engine = search.load(store, base=base.load(store))
    return {**arrays, **engine.arrays}


def distances(tables: Arrays) -> dict[int, int]:
    """The distance of every state that is kept, by its key."""
    full = np.flatnonzero(tables["near_keys"])
    keys = tables["near_keys"][full].astype(np.int64) - 1
    found, _ = packed.unpack_axial_near(tables["near_values"][full].astype(np.int64))
    return dict(zip(keys.tolist(), found.tolist(), strict=True))


def after(tables: Arrays, key: int, turn: int) -> tuple[int, int]:
    """The key after a turn in the state's frame, and the symmetry to the new frame."""
    cls, twist = divmod(key, slots.TWISTS)
    there, by = packed.unpack_entry(int(tables["axial_class_moves"][cls, turn]))
    moved = int(tables["twist_conjugates"][tables["axial_twist_moves"][twist, turn], by])
    return there * slots.TWISTS + moved, by


def test_turns_on_are_those_that_one_more_unit_allows(tables: Arrays) -> None:
    near, costs = distances(tables), tables["costs"]
    farthest = max(near.values())
    slots_used = np.flatnonzero(tables["near_keys"])
    for slot in np.random.default_rng(1).choice(slots_used, 300, replace=False):
        key = int(tables["near_keys"][slot]) - 1
        # of a state that is not kept it is known that it is farther than all that are
        reached = [near.get(after(tables, key, turn)[0], farthest + 1) for turn in range(45)]
        allowed = {turn for turn in range(45) if reached[turn] + costs[turn] <= near[key] + 1}
        assert {
            turn for turn in range(45) if int(tables["near_turns"][slot]) >> turn & 1
        } == allowed


def test_heads_of_endings_tell_what_their_turns_do(tables: Arrays) -> None:
    """Every way leads into G2 at its price; its head has its corners, its first and last axis."""
    near, costs, turned = distances(tables), tables["costs"], axial_turned_corners()
    frames, chance = tables["axial_frame_turns"], np.random.default_rng(2)
    for key in chance.choice([key for key, cost in near.items() if cost > 0], 300, replace=False):
        slot = int(np.flatnonzero(tables["near_keys"] == key + 1)[0])
        distance, at = packed.unpack_axial_near(int(tables["near_values"][slot]))
        more = True
        while more:
            word, head = int(tables["endings"][at]), int(tables["ending_heads"][at])
            more, left, turns, rest = not word >> 63, distance, [], word
            while left > 0:
                turn, rest = packed.unpack_axial_ending(rest)
                turns.append(turn)
                left -= int(costs[turn])
            corners, state, symmetry = STILL, int(key), 0
            for turn in turns:
                corners = packed.product(corners, int(turned[turn]))
                state, by = after(tables, state, int(frames[symmetry, turn]))
                symmetry = int(tables["symmetry_products"][by, symmetry])
            assert near[state] == 0
            assert packed.enters_g2(turns[-1])
            axes = turns[0] // 15, turns[-1] // 15
            assert packed.unpack_ending_head(head) == (corners, *axes)
            assert head >> 31 == (not more)
            at += 1


def test_every_turn_has_one_cost(tables: Arrays) -> None:
    costing, costs = turns_costing(tables["costs"].astype(np.int64)), tables["costs"]
    for turn in range(len(AXIAL_TURNS)):
        bits = costing[:, turn // 15] >> turn % 15 & 1
        assert np.flatnonzero(bits).tolist() == [costs[turn]]
