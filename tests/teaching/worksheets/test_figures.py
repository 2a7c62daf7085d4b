"""What worksheets count, held against counting otherwise."""

from puzzles.kinds.cubes import face_cube
from puzzles.kinds.puzzle import may_follow
from teaching.worksheets.effects import Effect
from teaching.worksheets.figures import places, word
from teaching.worksheets.mistakes import words_up_to


def test_words_are_counted_as_a_search_meets_them() -> None:
    turns = face_cube().turns
    order = {turn.name: number for number, turn in enumerate(turns)}
    found, lasts = [1], [None]
    for _ in range(4):
        lasts = [turn for last in lasts for turn in turns if may_follow(last, turn, order)]
        found.append(found[-1] + len(lasts))
    assert found == [words_up_to(length) for length in range(5)]
    assert found[:4] == [1, 19, 262, 3502]


def test_effects_and_places_are_counted() -> None:
    one = word("R").cube
    two = word("(R' D' R D)2 U (D' R' D R)2 U'").cube
    three = word("(M' U)4 (M' U')4").cube
    assert one is not None
    assert two is not None
    assert three is not None
    assert Effect.of(one) == Effect(corners=4, edges=4)
    assert Effect.of(two) == Effect(twisted=2)
    assert Effect.of(three) == Effect(flipped=2)
    assert (places("3x3x3", "corners"), places("3x3x3", "edges")) == (8, 12)
