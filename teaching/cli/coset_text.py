"""The output of `learn` for a stage of Thistlethwaite's chain: where the cube lies in it.

A distance table knows every coset, so a stage needs no search. The histogram shows how many cosets
are as far from the goal as this cube.
"""

from teaching.cli.language import Labels
from teaching.methods.method import CosetPlace
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words

_BAR = 40


def say_place(labels: Labels, place: CosetPlace, words: Words, counted: str = "cosets") -> None:
    """Show the distance of a cube in a stage, and the histogram of all distances.

    Args:
        labels: Where to show it.
        place: The distance, and the number of cosets or states at each distance.
        words: The texts of the language.
        counted: What is counted: ``cosets`` or ``states``.
    """
    total, farthest = sum(place.counts), len(place.counts) - 1
    alike, all_of_them = _grouped(place.counts[place.distance]), _grouped(total)
    told = {"distance": place.distance, "farthest": farthest, "alike": alike, "all": all_of_them}
    labels.line(words("learn.label_distance"), words(f"learn.far_{counted}", **told))
    largest, this = max(place.counts), words("learn.this_cube")
    wide = max(9, len(this))
    for distance, count in enumerate(place.counts):
        mark = this if distance == place.distance else ""
        bar = "█" * round(_BAR * count / largest)
        labels.screen.line(f"{mark:>{wide}} {distance:>3} {_grouped(count):>9}  {bar}".rstrip())
    why = f"learn.why_{total}"
    if words.has(why):
        labels.line(words("learn.label_cosets"), f"{_grouped(total)} = {words(why)}")


def say_tables(screen: Screen, words: Words) -> None:
    """Explain why the tables make a search unnecessary."""
    screen.note(words("learn.tables"))


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")
