"""Corrects a reading in the terminal: asks only for the doubtful stickers."""

import re
from collections.abc import Callable, Mapping

from cube.errors import InvalidCubeError
from cube.facelets import facelet_index
from cube.moves import FACES
from thistlebot.reading.corrections import Corrections
from thistlebot.records import full_reading_record
from thistlebot.terminal.screen import Screen
from vision.colours.profile import ColourProfile
from vision.decoding.correction import Correction, doubtful_stickers
from vision.errors import VisionError
from vision.reading import CubeReading

COMMANDS = (
    "'U3=R F2=L' corrects stickers (letter or colour), 'turn F 90' rotates a face clockwise, "
    "'swap U R' swaps two faces"
)
# Quarter turns clockwise.
_TURNS = {"90": 1, "180": 2, "270": 3, "-90": 3, "-180": 2, "-270": 1}


def edit_reading(
    reading: CubeReading,
    screen: Screen,
    ask: Callable[[str], str] = input,
    profile: ColourProfile | None = None,
    scheme: Mapping[str, str] | None = None,
) -> CubeReading:
    """Let the user correct stickers, rotate and exchange faces, or confirm the display.

    Given stickers count as seen, so a confirmed cube is accepted if it is solvable. Once the
    reading is sure, no more questions follow.

    Args:
        reading: The reading of the cameras.
        screen: The screen.
        ask: Reads one line for a prompt; end of file gives up.
        profile: The measured colours of the reading.
        scheme: The cube's colours, if its owner gave them.

    Returns:
        The corrected reading; not accepted if the user gave up.
    """
    current = Corrections.of(reading, profile, scheme)
    while not current.accepted:
        _show(current, screen)
        try:
            line = ask("correct> ").strip()
        except EOFError:
            break
        if line.lower() == "q":
            break
        try:
            if line:
                current = current.saying(parse_line(line, current.said, reading))
            elif current.instead is not None:
                current = current.accept_instead()
            else:
                current = current.confirm()
        except (VisionError, InvalidCubeError) as error:
            screen.problem(str(error))
    return current.reading


def parse_line(line: str, correction: Correction, reading: CubeReading) -> Correction:
    """Parse corrections such as ``turn F 180, swap U R, U3=R F2=orange``, one after the other.

    Args:
        line: The user's input.
        correction: The corrections so far.
        reading: The reading of the cameras.

    Returns:
        All corrections.

    Raises:
        VisionError: A part of the line is not a correction, or a colour is not on this cube.
        InvalidCubeError: There is no such sticker.
    """
    words = re.sub(r"\s*=\s*", "=", line.replace(",", " ")).split()
    while words:
        colours = correction.scheme(reading)
        word, *following = words
        said = " ".join(words[:3])
        match word.lower():
            case "turn":
                face, degrees = (*following, "", "")[:2]
                turn = _quarters(degrees, said)
                correction = correction.turning(_face(face, said, colours), turn)
                words = words[3:]
            case "swap":
                one, other = (*following, "", "")[:2]
                faces = _face(one, said, colours), _face(other, said, colours)
                correction = correction.exchanging(*faces)
                words = words[3:]
            case _:
                name, _, value = word.partition("=")
                correction = correction.telling({name.upper(): _face(value, word, colours)})
                words = following
    return correction


def _show(corrections: Corrections, screen: Screen) -> None:
    """Show the reading, and the possible input."""
    current, instead = corrections.reading, corrections.instead
    screen.reading(full_reading_record(current))
    if instead is not None and current.mistake is not None:
        screen.note(f"{current.mistake.text}: with this correction the reading is certain")
        screen.net(instead.best, dict(instead.scheme))
        screen.note(f"press Enter to accept; or {COMMANDS}; q to cancel")
        return
    names = ", ".join(
        f"{name}={current.proposal.text[facelet_index(name)]}"
        for name in doubtful_stickers(current)
    )
    screen.note(f"most doubtful: {names}")
    screen.note(f"{COMMANDS}; press Enter if the cube looks exactly as shown, q to cancel")


def _face(word: str, said: str, colours: dict[str, str]) -> str:
    """Return the letter of a face given by its letter or its colour."""
    by_colour = {colour: face for face, colour in colours.items()}
    letter = by_colour.get(word.lower(), word.upper())
    if letter not in FACES or len(letter) != 1:
        known = f"; colours {' '.join(by_colour)}" if by_colour else ""
        raise VisionError(
            f"{said!r} is not a correction: write U3=R for a sticker and its colour, turn F "
            f"90 or swap U R (letters {' '.join(FACES)}{known})"
        )
    return letter


def _quarters(degrees: str, said: str) -> int:
    """Return degrees as quarter turns clockwise."""
    turn = degrees.removeprefix("+").removesuffix("°")
    if turn not in _TURNS:
        raise VisionError(
            f"{said!r} does not give the angle: write turn F 90, 180 or 270 (degrees "
            "clockwise), or -90 for a quarter turn back"
        )
    return _TURNS[turn]
