"""Prints how well each pair of a profile's colours can be told apart."""

from rich.text import Text

from calibration.pair_scores import LEAST_SCORE, PairScore, advice, failed_pairs
from thistlebot.terminal.screen import Screen

_GOOD, _BAD = "", "!"


def show_pairs(screen: Screen, scores: tuple[PairScore, ...]) -> None:
    """Print the fifteen scores as a triangle; marks and words say what colour says on a terminal.

    Args:
        screen: Where to print.
        scores: As `calibration.pair_scores.pair_scores` has them.
    """
    names: dict[str, str] = {}
    by_faces: dict[tuple[str, str], PairScore | None] = {}
    for score in scores:
        names |= zip(score.faces, score.colours, strict=True)
        by_faces[score.faces] = score
    faces = list(names)
    width = max(map(len, names.values())) + 2
    head = "".join(f"{names[face]:>{width}}" for face in faces[1:])
    screen.line(f"pairs     {'':<{width}}{head}")
    for row, first in enumerate(faces[:-1]):
        line = Text(f"          {names[first]:<{width}}")
        for second in faces[1:]:
            known = by_faces.get((first, second)) if faces.index(second) > row else None
            line.append_text(_cell(known, width))
        line.rstrip()
        screen.out.print(line)
    failed = failed_pairs(scores)
    if failed:
        screen.problem(f"{_BAD} {advice(failed)}")
    else:
        worst = min(scores, key=lambda each: each.score)
        screen.line(
            f"pass      every pair has {LEAST_SCORE:g} or more; the nearest are "
            f"{worst.colours[0]} and {worst.colours[1]}, {worst.score:.1f}"
        )


def _cell(each: PairScore | None, width: int) -> Text:
    if each is None:
        return Text(" " * width)
    mark, style = (_GOOD, "green") if each.passed else (_BAD, "bold red")
    return Text(f"{mark}{each.score:.1f}".rjust(width), style=style)
