"""What the user is told who shows the faces of a cube, in the reader's language."""

from thistlebot.words.words import Words
from vision.live.step import Ask, Guidance, Instruction, Remark


def told_text(told: Guidance, words: Words) -> str:
    """Return what to tell the user after one picture, in one or two sentences."""
    parts = [_remark(told, words)]
    if told.instruction is not None:
        parts.append(asked_text(told.instruction, words))
    return " ".join(filter(None, parts))


def asked_text(asked: Instruction, words: Words) -> str:
    """Return which face to show, and how."""
    colour = words(f"cube.{asked.colour}") if asked.colour else ""
    if asked.ask is Ask.ANY:
        return words("hand.ask_any", count=asked.shown)
    if asked.ask is Ask.ANY_AGAIN:
        return words("hand.ask_any_again", colour=colour)
    face, top = words(f"cube.face_{asked.face}"), words(f"cube.face_{asked.top}")
    if colour:
        top_colour = words(f"cube.{asked.top_colour}")
        parts = [words("hand.ask_face", face=face, colour=colour, top_colour=top_colour)]
    else:
        parts = [words("hand.ask_face_plain", face=face, top=top)]
    if asked.ask is Ask.FACE_AGAIN:
        parts.append(words("hand.ask_otherwise"))
    if asked.others:
        others = ", ".join(words(f"cube.face_{other}") for other in asked.others)
        parts.append(words("hand.ask_others", faces=others))
    return " ".join(parts)


def _remark(told: Guidance, words: Words) -> str:
    if told.remark is None:
        return ""
    key = "captured_now" if told.remark is Remark.CAPTURED else told.remark.replace("-", "_")
    face = words(f"cube.face_{told.face or 'any'}")
    colour = words(f"cube.{told.colour}") if told.colour else ""
    return words(f"hand.{key}", face=face, colour=colour)
