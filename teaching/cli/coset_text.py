"""The output of `learn` for a stage of Thistlethwaite's chain: where the cube lies in it.

A distance table knows every coset, so a stage needs no search. The histogram shows how many cosets
are as far from the goal as this cube.
"""

from teaching.methods.method import CosetPlace
from thistlebot.terminal.screen import Screen

_BAR = 40
_WHY = {
    2_048: "2¹¹: eleven edges are flipped or not, and the twelfth follows, because B = 0",
    1_082_565: "3⁷·495: seven corners have three angles, and the eighth follows, because A = 0; "
    "the slice has one of 12·11·10·9/4! = 495 sets of four edges",
    29_400: "420·70: the corners have 8!/96 = 420 classes, because half turns reach 96 "
    "arrangements; the next slice has one of 8·7·6·5/4! = 70 sets of four edges",
    663_552: "96·4!³/2: 96 arrangements of the corners; the edges of each slice have 4! orders, "
    "and the sign of all of them is that of the corners",
    420: "8!/96: half turns reach 96 arrangements of the corners",
    70: "8·7·6·5/4!: sets of four edges that the next slice can have",
}
"""Why a stage has so many cosets."""


def say_place(screen: Screen, place: CosetPlace, noun: str = "cosets") -> None:
    """Show the distance of a cube in a stage, and the histogram of all distances.

    Args:
        screen: Where to show it.
        place: The distance, and the number of cosets or states at each distance.
        noun: What is counted.
    """
    cosets, farthest = sum(place.counts), len(place.counts) - 1
    alike = place.counts[place.distance]
    screen.line(
        f"distance  {place.distance} of at most {farthest} away; {_grouped(alike)} of "
        f"{_grouped(cosets)} {noun} are as far"
    )
    largest = max(place.counts)
    for distance, count in enumerate(place.counts):
        mark = "this cube" if distance == place.distance else ""
        bar = "█" * round(_BAR * count / largest)
        screen.line(f"{mark:>9} {distance:>3} {_grouped(count):>9}  {bar}".rstrip())
    if cosets in _WHY:
        screen.line(f"cosets    {_grouped(cosets)} = {_WHY[cosets]}")


def say_tables(screen: Screen) -> None:
    """Explain why the tables make a search unnecessary."""
    screen.note(
        "the table of a stage has the distance of every coset: from each coset, some allowed turn "
        "leads to one that is nearer, so the way needs no search"
    )


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")
