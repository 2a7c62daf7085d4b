"""Which stickers and faces of a reading are in doubt."""

import numpy as np

from cube.facelets import SOLVED_FACELETS, Facelets, facelet_index
from cube.moves import FACES
from vision.colours.labels import labels_of
from vision.decoding.laws.legal_search import search_legal
from vision.decoding.laws.piece_costs import piece_costs
from vision.decoding.reread import faces_to_reread, turned_pieces


def test_a_piece_that_shows_itself_turned_is_noticed() -> None:
    """But not two stickers of different pieces."""
    for names, noticed in (("U6 R2", 1), ("F4 L6", 1), ("U9 R1 F3", 1), ("U6 F4", 0)):
        place = tuple(facelet_index(name) for name in names.split())
        letters = list(SOLVED_FACELETS.text)
        for i, j in zip(place, (*place[1:], place[0]), strict=True):
            letters[i] = SOLVED_FACELETS.text[j]
        assert turned_pieces(SOLVED_FACELETS, Facelets("".join(letters))) == (place,) * noticed


def test_faces_with_contradicting_and_unseen_stickers_are_named() -> None:
    costs = np.full((54, 6), 20.0)
    costs[np.arange(54), labels_of(SOLVED_FACELETS)] = 0.0
    odd = facelet_index("L2")
    costs[odd, FACES.index("R")] = -5.0
    letters = list(SOLVED_FACELETS.text)
    letters[odd] = "R"
    found = search_legal(*piece_costs(costs))
    seen = np.ones(54, dtype=bool)
    proposal = Facelets("".join(letters))
    assert faces_to_reread(costs, found, SOLVED_FACELETS, proposal, seen) == ("L",)
    seen[9:18] = False
    assert set(faces_to_reread(costs, found, SOLVED_FACELETS, proposal, seen)) == {"L", "R"}
