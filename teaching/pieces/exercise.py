"""The page of an exercise: pieces to swap and to twist, with all quantities beside them.

The script of the page gets the turns as re-assemblies, the places of the stickers and the pairs of
the tetrads as JSON; ``marked`` are the edges whose mark in S3 is not on the sticker that our states
count from. It carries out the operations in the page's text field, which a click on two
pieces and the buttons extend, and counts the quantities `GAUGES` after each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

import msgspec

from cube.moves import ALL_MOVES
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.state import SOLVED, CubeState, move_state
from puzzles.kinds.cube_laws import AXES, PAIRS, TETRADS
from solver.coordinates import E_EDGES, M_EDGES, S_EDGES
from teaching.films.figures import ink_on
from teaching.films.lesson_film import standing
from teaching.films.player import lane_section, page_of
from teaching.pieces.operations import CHAIN, GAUGES, PieceGoal, quantity_gauges, quantity_levels
from thistlebot.words.words import Words

_SLICES = (M_EDGES, S_EDGES, E_EDGES)
_SCRIPTED = (
    *("changes", "keeps", "nothing", "unreadable", "before", "no_pair", "picked"),
    *("connected", "apart"),
)
_GAMES = (
    ("all_turns", GAUGES[:3]),
    ("phi1", GAUGES[:4]),
    ("phi2", GAUGES[:6]),
    ("phi3", GAUGES[:9]),
)
"""Each game, with the quantities that are a complete system of its invariants."""


def exercise_page(title: str, aim: str, goals: Sequence[PieceGoal], words: Words) -> str:
    """Return a page on which one moves the pieces of a cube.

    Args:
        title: The heading.
        aim: The line below it.
        goals: What to achieve.
        words: The texts of its language.
    """
    lane = standing(words("pieces.cube"), SOLVED, words, CHAIN)
    gauges, levels = quantity_gauges(words), quantity_levels(SOLVED, words)
    frame = replace(lane.frames[0], levels=levels)
    lane = replace(lane, gauges=gauges, kept=(), frames=(frame,))
    body = f"""<div class="lanes lanes-1">
{lane_section(lane, 0)}
</div>
{"".join(_bench(goals, words))}"""
    parts = [Path(__file__).with_suffix(ending) for ending in (".js", ".css")]
    data = _data([gauge.most for gauge in gauges], goals, words)
    return page_of((title, aim), body, data, parts, words)


def _bench(goals: Sequence[PieceGoal], words: Words) -> Iterator[str]:
    """Yield the controls, what the last operation changed, delta's table, and the goals."""

    def button(deed: str, told: str) -> str:
        return f'<button type="button" data-turn="{deed}">{told}</button>'

    turns = {False: "", True: ""}
    for move in ALL_MOVES:
        turns[move.turns == 2] += button(str(move), str(move))
    yield f'<section class="bench" aria-label="{escape(words("pieces.bench"))}">\n'
    yield f"<p>{escape(words('pieces.how'))}</p>\n"
    yield f'<label>{escape(words("pieces.operations"))} <input class="typed" spellcheck="false" '
    yield 'autocomplete="off"></label>\n<p class="deeds">'
    for deed in ("undo", "clear"):
        yield f'<button type="button" data-do="{deed}">{escape(words(f"pieces.{deed}"))}</button>'
    yield f"</p>\n<p class='deeds'>{words('pieces.half_turns')} {turns[True]}</p>\n"
    yield f"<p class='deeds'>{words('pieces.quarter_turns')} {turns[False]}</p>\n"
    yield '<p class="law" role="status"></p>\n<div class="tables">'
    yield f'<table class="pairs"><caption>{escape(words("pieces.pairs"))}</caption>'
    yield '<tr><th scope="col"></th>'
    yield "".join(f'<th scope="col">{name}</th>' for name in ("p", "q", "δ = p∘q⁻¹")) + "</tr>"
    for axis in AXES:
        yield f'<tr><th scope="row">{axis}</th><td></td><td></td><td></td></tr>'
    yield f'</table>\n<table class="games"><caption>{escape(words("pieces.games"))}</caption>'
    for key, _ in _GAMES:
        yield f'<tr><th scope="row">{escape(words(f"pieces.{key}"))}</th><td></td></tr>'
    yield f'</table></div>\n<h2>{escape(words("pieces.goals"))}</h2>\n<ol class="goals">'
    yield "".join(f"<li>{escape(words(goal.key))}</li>" for goal in goals)
    yield "</ol>\n</section>"


def _data(most: Sequence[int], goals: Sequence[PieceGoal], words: Words) -> str:
    """Return everything that the script of the page needs."""
    colours = {face: SCREEN_COLOURS[colour] for face, colour in WESTERN_SCHEME.items()}
    slices = [next(n for n, own in enumerate(_SLICES) if edge in own) for edge in range(12)]
    data = {
        "colours": {face: (fill, ink_on(fill)) for face, fill in colours.items()},
        "kinds": [
            {"names": CORNERS, "stickers": CORNER_FACELETS, "turns": 3},
            {"names": EDGES, "stickers": EDGE_FACELETS, "turns": 2},
        ],
        "turns": {str(move): _change(move_state(move)) for move in ALL_MOVES},
        "gauges": GAUGES,
        "names": [gauge.text for gauge in quantity_gauges(words)],
        "most": most,
        "axes": AXES,
        "tetrads": TETRADS,
        "pairs": PAIRS,
        "slices": slices,
        "marked": [name[0] in "UD" for name in EDGES],
        "games": [[GAUGES.index(key) for key in kept] for _, kept in _GAMES],
        "goals": [
            {
                "wanted": [goal.wanted.get(key) for key in GAUGES],
                "moved": goal.moved,
                "swaps": goal.swaps,
            }
            for goal in goals
        ],
        "words": {key: words.texts[f"pieces.{key}"] for key in _SCRIPTED},
        "no_delta": words("film.no_delta"),
    }
    return msgspec.json.encode(data).decode()


def _change(state: CubeState) -> list[dict[str, tuple[int, ...]]]:
    return [
        {"from": state.corner_permutation, "turned": state.corner_orientation},
        {"from": state.edge_permutation, "turned": state.edge_orientation},
    ]
