"""The page of patterns has every pattern, its moves, and the picture that the program draws."""

from pathlib import Path

from cube.patterns import PATTERNS
from solver.puzzles.cubes import net_picture

PAGE = Path(__file__).parents[2] / "docs" / "patterns.md"


def test_the_page_shows_every_pattern_as_the_program_knows_it() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for each in PATTERNS:
        shown = f"![{each.name}](pictures/patterns/{each.slug}.svg)"
        assert f"| {each.name} | {shown} | {each.text} | `{each.moves}` |" in text
        picture = PAGE.parent / "pictures" / "patterns" / f"{each.slug}.svg"
        assert picture.read_text(encoding="utf-8") == net_picture(each.state.to_facelets())
