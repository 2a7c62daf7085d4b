"""The moves in a pasted text, without what stands around them.

Every character keeps its place, so that an error can name it: what is not a move becomes spaces.
"""

import re
import unicodedata

from cube.errors import NotationError

_APOSTROPHES = "’‘‛′‵´`ʼʹʻˈ՚׳ꞌ"
_DASHES = "−–‐‑⁻"
_TIMES = "×·⋅∙"
_SAME = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_TIMES, "*")
    | dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))
    | {chr(0xFEE0 + code): chr(code) for code in range(0x21, 0x7F)}  # full-width forms
    | dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n")
)
_COMMENT = re.compile(r"//.*")
# as csTimer writes them: 12.34, 1:02.34+, (9.87), DNF(12.34)[comment], 12.34=6.17+6.17
_TIME = r"\(?(?:DNF\()?(?:[0-9]+:)*[0-9]+\.[0-9]{2,3}\+?\)*(?:=[0-9.:+]+)?(?:\[[^\]\n]*\])?(?= )"
_HEAD = re.compile(rf"(?m)^ *(?:[0-9]+[.)](?![0-9]) *(?:{_TIME})?|{_TIME})")
_DATE = re.compile(r"(?m)@[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]+ *$")
_FIRST = re.compile(r"(?m)^ *[0-9]+\. ")
_COLUMNS = re.compile(r"\s*No\.;Time;Comment;Scramble;Date[^\n]*\n")
_ROW = re.compile(r"(?m)^( *[0-9]+);[^;\n]*;(?:\"[^\"]*\"|[^;\n]*);(\"[^\"]*\"|[^;\n]*);[^\n]*$")


def plain_moves(text: str) -> str:
    """Return a text of the same length with only its moves, in plain characters.

    Typographic primes, dashes, digits and spaces become those of a keyboard. Comments after ``//``,
    the number before a sequence, and the times, comments and dates of an export of csTimer become
    spaces.

    Raises:
        NotationError: The text contains several numbered sequences.
    """
    plain = text.translate(_SAME)
    if not plain.isascii() or "\t" in plain:
        plain = "".join(map(_spaced, plain))
    plain = _COMMENT.sub(_blank, plain)
    if "csTimer" in plain.lstrip().partition("\n")[0] and (first := _FIRST.search(plain)):
        plain = _blanked(plain[: first.start()]) + plain[first.start() :]
    if ";" in plain:
        plain = _ROW.sub(_as_line, _COLUMNS.sub(_blank, plain, count=1))
    heads = [match.start() for match in _HEAD.finditer(plain)]
    if not heads:
        return plain
    if len(heads) > 1 or plain[: heads[0]].strip():
        raise NotationError("the text contains several numbered sequences; give one of them")
    return _DATE.sub(_blank, _HEAD.sub(_blank, plain))


def _spaced(sign: str) -> str:
    """Return a space for spaces and invisible characters of any kind, except line breaks."""
    invisible = sign.isspace() or unicodedata.category(sign) == "Cf"
    return " " if invisible and sign != "\n" else sign


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _blank(match: re.Match[str]) -> str:
    return _blanked(match[0])


def _as_line(match: re.Match[str]) -> str:
    """Return a row of a table as a numbered line with the moves in their place."""
    start, end = (place - match.start() for place in match.span(2))
    head = f"{match[1]}.".ljust(start)
    return (head + match[2].replace('"', " ")).ljust(end).ljust(len(match[0]))
