"""Lines of text on a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from thistlebot.output import wrapped

WORDS = st.lists(st.text("abc'2-", min_size=1, max_size=50), min_size=1, max_size=40)


@given(WORDS, st.sampled_from(["", "reading   ", "  "]), st.integers(60, 200))
def test_lines_break_between_words_and_continue_below_the_text(
    words: list[str], label: str, width: int
) -> None:
    text = label + " ".join(words)
    lines = wrapped(text, width).split("\n")
    assert " ".join(lines).split() == text.split()
    assert all(len(line) <= width for line in lines)
    assert all(line.startswith(" " * len(label)) for line in lines[1:])
