"""Which stickers and faces of a reading are in doubt."""

from cube.facelets import SOLVED_FACELETS, Facelets, facelet_index
from vision.decoding.reread import turned_pieces


def test_a_piece_that_shows_itself_turned_is_noticed() -> None:
    """But not two stickers of different pieces."""
    for names, noticed in (("U6 R2", 1), ("F4 L6", 1), ("U9 R1 F3", 1), ("U6 F4", 0)):
        place = tuple(facelet_index(name) for name in names.split())
        letters = list(SOLVED_FACELETS.text)
        for i, j in zip(place, (*place[1:], place[0]), strict=True):
            letters[i] = SOLVED_FACELETS.text[j]
        assert turned_pieces(SOLVED_FACELETS, Facelets("".join(letters))) == (place,) * noticed
