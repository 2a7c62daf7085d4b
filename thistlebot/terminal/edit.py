"""Corrects a reading in the terminal: asks for the doubtful stickers, never for the whole cube."""

from collections.abc import Callable

from cube.errors import InvalidCubeError
from cube.facelets import facelet_name
from cube.laws import examine
from cube.moves import FACES
from thistlebot.records import full_reading_record
from thistlebot.terminal.screen import Screen
from vision.colours.profile import ColourProfile
from vision.decoding.correction import correct, doubtful_stickers
from vision.errors import VisionError
from vision.reading import CubeReading
from vision.timed import timed

HELP = (
    "type corrections such as 'U3=R F2=L' (letter or colour), Enter if the cube looks exactly as "
    "shown, q to give up"
)


def edit_reading(
    reading: CubeReading,
    screen: Screen,
    ask: Callable[[str], str] = input,
    profile: ColourProfile | None = None,
) -> CubeReading:
    """Let a person correct stickers, or confirm all of them as they are shown.

    What is told counts as seen, so a confirmed cube is accepted when turns can solve it.

    Args:
        reading: What the cameras saw.
        screen: Where to show it.
        ask: Reads one line for a prompt; end of file gives up.
        profile: The measured colours that the reading was made with.

    Returns:
        The corrected reading; not accepted when the person gave up.
    """
    told: dict[str, str] = {}
    current = reading
    while True:
        screen.reading(full_reading_record(current))
        names = ", ".join(
            f"{name}={current.proposal.text[_index(name)]}" for name in doubtful_stickers(current)
        )
        instead = current.instead if current.instead and current.instead.accepted else None
        if instead is not None and current.mistake is not None:
            screen.note(f"{current.mistake.text}: so, this is a sure cube")
            screen.net(instead.best, dict(instead.scheme))
            screen.note("Enter takes it; or type corrections such as 'U3=R F2=L', q to give up")
        else:
            screen.note(f"most doubtful: {names}; {HELP}")
        try:
            line = ask("correct> ").strip()
        except EOFError:
            return current
        if line.lower() == "q" or (not line and current.accepted):
            return current
        if not line and instead is not None:
            return instead
        try:
            scheme = dict(reading.scheme)
            wanted = told | parse_corrections(line, scheme) if line else _as_shown(current)
            current = timed(correct)(reading, wanted, profile)
        except (VisionError, InvalidCubeError) as error:
            screen.problem(str(error))
            continue
        if not line and current.accepted:
            return current
        told = wanted


def parse_corrections(line: str, scheme: dict[str, str]) -> dict[str, str]:
    """Read ``U3=R F2=orange`` as facelet names and face letters.

    Raises:
        VisionError: A part of the line is no correction, or a colour is not on this cube.
    """
    by_colour = {colour: face for face, colour in scheme.items()}
    told = {}
    for part in line.replace(",", " ").split():
        name, _, value = part.partition("=")
        letter = by_colour.get(value.lower(), value.upper())
        if letter not in FACES or len(letter) != 1:
            colours = " ".join(by_colour)
            raise VisionError(
                f"{part!r} is no correction: write a sticker and its colour, such as U3=R "
                f"(letters {' '.join(FACES)}{'; colours ' + colours if colours else ''})"
            )
        told[name.upper()] = letter
    return told


def _as_shown(reading: CubeReading) -> dict[str, str]:
    """Take every sticker of the net that the person saw as told.

    Raises:
        InvalidCubeError: No turns solve the cube that it shows.
    """
    verdict = examine(reading.proposal)
    if not verdict.solvable:
        laws = "; ".join(problem.text for problem in verdict.problems)
        raise InvalidCubeError(f"no turns solve the cube as shown: {laws}. Correct its stickers")
    return {facelet_name(place): letter for place, letter in enumerate(reading.proposal.text)}


def _index(name: str) -> int:
    return 9 * FACES.index(name[0]) + int(name[1]) - 1
