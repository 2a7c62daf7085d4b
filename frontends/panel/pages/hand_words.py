"""The texts of the page By hand, in the reader's language."""

from frontends.control.view_model.by_hand import (
    HandTurns,
    ShownGuidance,
    ShownInstruction,
)
from thistlebot.reading.corrections import Change
from thistlebot.words.words import Words
from vision.live.step import Ask, Remark


def told_text(told: ShownGuidance, words: Words) -> str:
    """Return the instruction after one picture."""
    parts = [_remark(told, words)]
    if told.asked is not None:
        parts.append(asked_text(told.asked, words))
    if told.remark == Remark.OTHER_FACE and told.guessed:
        parts.append(words("hand.guessed"))
    return " ".join(part for part in parts if part)


def asked_text(asked: ShownInstruction, words: Words) -> str:
    """Return which face to show, and how."""
    face, top = words(f"cube.face_{asked.face}"), words(f"cube.face_{asked.top}")
    if asked.colour:
        colour, top_colour = words(f"cube.{asked.colour}"), words(f"cube.{asked.top_colour}")
        parts = [words("hand.ask_face", face=face, colour=colour, top_colour=top_colour)]
    else:
        parts = [words("hand.ask_face_plain", face=face, top=top)]
    if asked.ask == Ask.FACE_AGAIN:
        parts.append(words("hand.ask_otherwise"))
    if asked.others:
        others = ", ".join(words(f"cube.face_{other}") for other in asked.others)
        parts.append(words("hand.ask_others", faces=others))
    return " ".join(parts)


def _remark(told: ShownGuidance, words: Words) -> str:
    if not told.remark:
        return ""
    key = "captured_now" if told.remark == Remark.CAPTURED else told.remark.replace("-", "_")
    face = words(f"cube.face_{told.face}") if told.face else ""
    colour = words(f"cube.{told.colour}") if told.colour else ""
    return words(f"hand.{key}", face=face, colour=colour)


def changes_text(changes: tuple[Change, ...], scheme: dict[str, str], words: Words) -> str:
    """Return the effect of a correction: what was given, then what follows from it."""
    if not changes:
        return ""
    parts = [
        words(
            "hand.change_told" if change.told else "hand.change_follows",
            sticker=change.facelet,
            colour=words(f"cube.{scheme[change.after]}"),
        )
        for change in sorted(changes, key=lambda each: not each.told)
    ]
    return words("hand.changes", changes=", ".join(parts))


def hold_text(way: HandTurns, words: Words) -> str:
    """Return how to hold the cube."""
    up, front = words(f"cube.{way.up}"), words(f"cube.{way.front}")
    told = words("hand.hold", up=up, front=front)
    return told if way.known else f"{told} {words('hand.hold_guessed')}"


def turn_text(way: HandTurns, words: Words) -> str:
    """Return what to turn now."""
    if way.done >= len(way.moves):
        return ""
    move = way.moves[way.done]
    quarters = {"": 1, "2": 2, "'": 3}[move[1:]]
    face, turn = words(f"cube.face_{move[0]}"), words(f"cube.turn_{quarters}")
    return words("hand.turn", face=face, turn=turn)
