"""How states are written for the other program."""

from benchmarks.solver.agreement import pieces_text
from cube.moves import MoveSequence
from cube.state import SOLVED


def test_each_place_shows_its_piece_with_the_stickers_where_they_are() -> None:
    """R brings FR to UR with its F sticker on U, and so on round the face."""
    home = pieces_text(SOLVED.to_facelets()).split()
    turned = pieces_text(SOLVED.apply(MoveSequence.parse("R")).to_facelets()).split()
    assert home[:2] == ["UF", "UR"]
    assert len(set(home)) == 20
    assert {place: piece for place, piece in zip(home, turned, strict=True) if place != piece} == {
        "UR": "FR",
        "BR": "UR",
        "DR": "BR",
        "FR": "DR",
        "UFR": "FDR",
        "URB": "FRU",
        "DBR": "BUR",
        "DRF": "BRD",
    }
