"""How others turn a solution into their machine's actions: what `bench rigs` compares with.

- CUBOTino's translator: for each place of a face a fixed row of flips, spins and layer turns that
  leaves the holder in the middle; spins that undo each other are dropped afterwards, and two
  flips of a certain end, too. Described in `Cubotino_T_moves.py` (AndreaFavero71/cubotino).
- Claws: a fixed row for each move, after which the cube lies as before (twinone/rubik-robot).
- Five motors: the move of the face without one is replaced by thirteen turns of the others
  (anshgandhi4/rubiks-cube-solver-robot).
"""

import re
from collections.abc import Iterable

from cube.moves import Move, MoveSequence
from cube.orientation import Orientation
from robot.rigs.action_machine.deeds import MachineState, StateGraph, Stride

FLIP, SPIN_ON, SPIN_BACK, LAYER_ON, LAYER_BACK = "F", "S+", "S-", "R+", "R-"
_ROWS = {
    "U1": "F F R- S+",
    "U2": "F F R- S+ R- S+",
    "U3": "F F S- R+",
    "D1": "R- S+",
    "D2": "R- S+ R- S+",
    "D3": "S- R+",
    "F1": "F R- S+",
    "F2": "F R- S+ R- S+",
    "F3": "F S- R+",
    "B1": "F F F R- S+",
    "B2": "F F F R- S+ R- S+",
    "B3": "F F F S- R+",
    "L1": "S+ F F F R-",
    "L2": "S+ F F F R- S+ R-",
    "L3": "S- F R+",
    "R1": "S+ F R-",
    "R2": "S+ F R- S+ R-",
    "R3": "S- F F F R+",
}
"""What is done for a move at a place of the machine; the holder begins and ends in the middle."""
_TURNED = {FLIP: "x'", SPIN_ON: "y", SPIN_BACK: "y'", LAYER_ON: "", LAYER_BACK: ""}
_THIRTEEN = "R L F2 B2 R' L' D R L F2 B2 R' L'"
"""U, turned by the five other faces."""
FACE_MS, CUBE_TURN_MS = 2000, 3000
"""Four claws: a face by a quarter, and the whole cube by a quarter, with all that it takes."""


def cradle_actions(moves: MoveSequence) -> list[str]:
    """Translate moves as CUBOTino does, for a cube that lies as usual in the middle.

    Returns: `FLIP`, spins of the cube and turns of the lowest layer, each of these by a quarter on
        or back.
    """
    held = Orientation()
    actions: list[str] = []
    for move in moves:
        row = _ROWS[held.place_of(move.face) + str(move.turns)].split()
        for action in row:
            held = held.turned(_TURNED[action])
        actions += row
    return _shorter_end(_without_vain_spins(actions))


def _without_vain_spins(actions: list[str]) -> list[str]:
    """Drop a spin and the one back that follows it; once, from the left."""
    kept, place = [], 0
    while place < len(actions):
        if sorted(actions[place : place + 2]) == [SPIN_ON, SPIN_BACK]:
            place += 2
            continue
        kept.append(actions[place])
        place += 1
    return kept


def _shorter_end(actions: list[str]) -> list[str]:
    """Turn two opposite faces alike at the end in the other order, if that saves two flips."""
    text = " ".join(actions)
    found = re.fullmatch(r"(.* )?F F F ([^F]+) F F \2", text)
    return f"{found[1] or ''}F {found[2]} F F {found[2]}".split() if found else actions


def cradle_strides(machine: StateGraph, actions: Iterable[str]) -> list[Stride]:
    """Have a machine with a holder and a cover do such actions, opening and closing between them.

    Raises:
        ValueError: It cannot: the holder would leave its range.
    """
    holder, cover = machine.names.index("holder"), machine.names.index("cover")
    places = machine.rig.variables["cover"].places
    strides: list[Stride] = []
    state = machine.start

    def go(number: int, place: int) -> MachineState:
        for stride in machine.strides[state]:
            wanted = [(number, state[number], place)]
            if [change for deed in stride.deeds for change in deed.change] == wanted:
                strides.append(stride)
                return stride.after
        raise ValueError(f"the machine cannot do that: {machine.text(state)}")

    for action in actions:
        if action == FLIP:
            if places[state[cover]] == "flipped":
                state = go(cover, places.index("open"))
            state = go(cover, places.index("flipped"))
            continue
        needed = places.index("open" if action in (SPIN_ON, SPIN_BACK) else "closed")
        if state[cover] != needed:
            state = go(cover, needed)
        state = go(holder, state[holder] + (1 if action in (SPIN_ON, LAYER_ON) else -1))
    return strides


def claws_ms(moves: Iterable[Move]) -> int:
    """Return how long four claws take for moves, each by its fixed row."""
    turns = 0
    for move in moves:
        turns += FACE_MS * abs(move.quarter_turns)
        turns += 2 * CUBE_TURN_MS if move.face in "UD" else 0
    return turns


def without_upper_motor(moves: MoveSequence) -> MoveSequence:
    """Replace every move of U by the thirteen turns that make the same."""
    replaced: list[Move] = []
    for move in moves:
        if move.face != "U":
            replaced.append(move)
            continue
        replaced += [
            Move("D", move.turns) if other.face == "D" else other
            for other in MoveSequence.parse(_THIRTEEN)
        ]
    return MoveSequence.of(replaced)
