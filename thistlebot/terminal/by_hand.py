"""Instructions for turning a cube by hand: how to hold it, and its net before and after."""

from collections.abc import Mapping, Sequence

from cube.facelets import Facelets
from cube.moves import FACES, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.pocket import PocketState
from cube.written.face_orders import S4_ORDER
from thistlebot.reading.hand_steps import HandHold, HandSteps, turn_text
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen

POCKET_SCHEME = {name[0]: name for name in WESTERN_SCHEME.values()}
"""The colours of a 2×2×2 cube, whose letters are those of colours: it has no centres."""

_WAIT_S = 0.1
# The stickers of the corner URF among 24 in the order URFDLB.
_POCKET_URF = (3, 4, 9)


def hold_text(scheme: Mapping[str, str] | None) -> str:
    """Return how to hold a cube so that its faces match the letters of the moves."""
    return HandHold.of(scheme).text


def tell_by_hand(
    screen: Screen,
    before: Facelets,
    moves: MoveSequence,
    scheme: Mapping[str, str] | None = None,
) -> None:
    """Print how to hold the cube, and draw it before and after the moves.

    Without moves, the cube is only drawn.

    Args:
        screen: The screen.
        before: The stickers; they form the pieces of a cube.
        moves: The moves.
        scheme: Colour name of each face's centre, as read or given; None if unknown:
            then the usual colours are named.
    """
    shown = cube_nets(before, moves)
    if len(shown) == 1:
        screen.net(before, scheme)
        return
    screen.line(f"hold      {hold_text(scheme)}")
    screen.nets({"before": shown[0], "after": shown[-1]}, scheme or WESTERN_SCHEME)


def tell_pocket_by_hand(
    screen: Screen, before: PocketState, moves: MoveSequence, *, known: bool = True
) -> None:
    """Print how to hold a 2×2×2 cube, by a corner, and draw it before and after the moves.

    Without moves, nothing is printed.

    Args:
        screen: The screen.
        before: The cube as it is held.
        moves: The moves.
        known: The colours were read or given; otherwise S4's colours represent the letters of the
            faces.
    """
    shown = pocket_nets(before, moves)
    if len(shown) == 1:
        return
    up, right, front = (POCKET_SCHEME[shown[0][place]] for place in _POCKET_URF)
    screen.line(
        f"hold      the {up}, {front} and {right} corner at the top, in front on the right, "
        f"with {up} up and {front} in "
        f"front{'' if known else ', assuming yellow for U and red for F'}"
    )
    screen.nets({"before": shown[0], "after": shown[-1]}, POCKET_SCHEME)


def cube_nets(before: Facelets, moves: MoveSequence) -> list[str]:
    """Return the cube before the moves and after each of them, for `Screen.nets`."""
    return HandSteps.of(before, moves).nets


def pocket_nets(before: PocketState, moves: MoveSequence) -> list[str]:
    """Return the same for a 2×2×2 cube, in letters of colours."""
    states = [before]
    for move in moves:
        states.append(states[-1].apply(MoveSequence((move,))))
    return ["".join(_pocket_face(state.text, face) for face in FACES) for state in states]


def step_through(
    screen: Screen, moves: MoveSequence, shown: Sequence[str], scheme: Mapping[str, str]
) -> None:
    """Print one move after another at the user's pace, each with the net after it.

    Without a terminal, nothing is printed.
    """
    with Keyboard(wanted=screen.out.is_terminal and not screen.out.quiet) as keyboard:
        if not keyboard.available or not len(moves):
            return
        screen.note("space: next move   q: quit")
        for number, (move, stickers) in enumerate(zip(moves, shown[1:], strict=True), start=1):
            while (key := keyboard.key(_WAIT_S)) != " ":
                if key in ("q", "Q", ""):  # the last one if the terminal is gone
                    return
            told = f"{number} of {len(moves)}  {move}: {turn_text(move)}"
            screen.nets({told: stickers}, scheme)


def _pocket_face(text: str, face: str) -> str:
    start = 4 * S4_ORDER.index(face)
    return text[start : start + 4]
