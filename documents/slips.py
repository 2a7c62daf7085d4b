"""Slips in settings files that people often make, and what to write instead."""

import re

_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_SLIPS = (
    (re.compile(r"[“”„«»‘’]"), 'use straight quotation marks: "'),
    (re.compile(r"=\s*([-+]?\d+),(\d+)\s*(?:#|$)"), r"write \1.\2: decimals have a point"),
    (re.compile(rf"=\s*({_NUMBER})\s*,\s*(?:#|$)"), r"write \1 without the comma"),
    (
        re.compile(rf"=\s*({_NUMBER})\s*[^\W\d]+\s*(?:#|$)"),
        r"write \1 alone: the key names the unit",
    ),
    (re.compile(r"=\s*(?:TRUE|True|[Yy]es|[Oo]n)\s*(?:#|$)"), "write true"),
    (re.compile(r"=\s*(?:FALSE|False|[Nn]o|[Oo]ff)\s*(?:#|$)"), "write false"),
    (re.compile(r"=\s*(?:#|$)"), "write a value after =, or remove the key"),
    (re.compile(r'=\s*"[^"]*\\'), "write / for each backslash, or single quotation marks"),
    (re.compile(r"""=\s*(["'])(?:(?!\1).)*$"""), "the closing quotation mark is missing"),
    (re.compile(r"=\s*([A-Za-z/][^\s\"'#]*)"), r'write "\1", with quotation marks'),
    (re.compile(r"^\s*([\w.-]+)\s*:\s*(\S+)"), r"write \1 = \2, with an equals sign"),
)
_TWICE = re.compile(r"Cannot overwrite a value|Cannot declare .* twice")
_PLACE = re.compile(r"at line (\d+)")
_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "str": 'a text in quotation marks: "…"',
    "array": "a list: [ … ]",
    "object": "a table",
}
_WRONG_TYPE = re.compile(r"Expected `(\w+)(?: \| null)?`, got `\w+`")
_TOO = re.compile(r"Expected `(?:int|float)` ([<>]=?) (\S+)")
_BOUNDS = {"<=": "at most", "<": "less than", ">=": "at least", ">": "more than"}


def syntax_remedy(text: str, problem: str) -> str:
    """Return a remedy for TOML that cannot be parsed, from the line that the problem names.

    Args:
        text: The TOML.
        problem: The parser's message.

    Returns:
        The line and the remedy, behind a colon; empty if the slip is not a common one.
    """
    lines, place = text.split("\n"), _PLACE.search(problem)
    line = lines[int(place[1]) - 1].strip() if place and int(place[1]) <= len(lines) else ""
    if _TWICE.search(problem):
        return f": {line} stands here twice; keep one, or correct its name"
    for slip, remedy in _SLIPS:
        if found := slip.search(line):
            return f": {line}; {found.expand(remedy)}"
    return f": {line}" if line else ""


def type_remedy(problem: str, value: object) -> str:
    """Return what a value has to be, for a problem of its type or range; else the problem.

    Args:
        problem: The converter's message.
        value: The value, as it stands in the file.
    """
    if too := _TOO.match(problem):
        return f"{value} is wrong; write {_BOUNDS[too[1]]} {too[2]}"
    if not (wrong := _WRONG_TYPE.match(problem)) or wrong[1] not in _TYPES:
        return problem
    number = re.match(rf"\s*({_NUMBER})", value) if isinstance(value, str) else None
    if number and wrong[1] in ("int", "float"):
        return f'"{value}" is wrong; write {number[1]}, without quotation marks and unit'
    return f"{value!r} is wrong; write {_TYPES[wrong[1]]}"
