"""Docstrings in Google style, and the fields of typed values, as Markdown."""

import ast
import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Iterable
from enum import Enum, EnumMeta
from typing import Any, Literal

import msgspec

_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises):$\n((?:^(?:    .*)?$\n?)+)", re.MULTILINE)
_ENTRY = re.compile(r"^(?P<name>\w+): (?P<text>.*(?:\n .*)*)", re.MULTILINE)
_TITLES = {"Args": "Arguments"}
_LITERAL = re.compile(r"``(.+?)``")
_UNITS = {
    "steps_s2": "steps/s²",
    "steps_s": "steps/s",
    "ms": "ms",
    "us": "µs",
    "s": "s",
    "deg": "°",
    "degrees": "°",
    "ma": "mA",
}
_TYPES = {
    int: "integer",
    float: "number",
    str: "text",
    bool: "`true` or `false`",
    type(None): "null",
}


def sections(docstring: str) -> tuple[str, dict[str, str]]:
    """Return the text of a docstring, and its sections by name, without their indentation."""
    clean = f"{inspect.cleandoc(docstring)}\n"
    found = {}
    for name, text in _SECTION.findall(clean):
        found[name] = "\n".join(line.removeprefix("    ") for line in text.rstrip().splitlines())
    return prose(_SECTION.sub("", clean)), found


def entries(section: str) -> dict[str, str]:
    """Return the names that a section describes, and their texts."""
    return {each["name"]: prose(each["text"]) for each in _ENTRY.finditer(section)}


def prose(text: str) -> str:
    """Return Markdown for a text: paragraphs in one line each, code in single quotes."""
    paragraphs = (" ".join(each.split()) for each in text.strip().split("\n\n"))
    return _LITERAL.sub(r"`\1`", "\n\n".join(each for each in paragraphs if each))


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; a bar inside a cell is escaped."""
    head = tuple(head)
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def anchor(title: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def type_text(kind: Any, titles: dict[type, str]) -> str:
    """Return a type in words.

    Args:
        kind: The annotation.
        titles: Headings on the same page of types that have a section of their own.
    """
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    parts = [type_text(each, titles) for each in args if origin is not Literal and each is not ...]
    if kind in titles:
        return f"[{titles[kind]}](#{anchor(titles[kind])})"
    if isinstance(kind, EnumMeta):
        members: Iterable[Enum] = kind.__members__.values()
        return " or ".join(_json(each.value) for each in members)
    if origin is Literal:
        return " or ".join(_json(each) for each in args)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(parts)
    if origin in (tuple, dict):
        return f"list: {' and '.join(parts)}" if origin is tuple else f"table: {parts[1]}"
    return _TYPES.get(kind) or str(kind.__name__)


def field_table(kind: type, titles: dict[type, str], *, file: bool) -> str:
    """Return the table of the fields of a struct.

    Args:
        kind: The struct.
        titles: See `type_text`.
        file: Its fields are keys of a file, with units and defaults.

    Raises:
        ValueError: The docstring of the struct does not describe a field.
    """
    told = {
        name: text
        for each in reversed(kind.__mro__)  # a struct has the fields of its base, too
        for name, text in entries(sections(each.__doc__ or "")[1].get("Attributes", "")).items()
    }
    hints = typing.get_type_hints(kind)
    rows, missing = [], []
    for field in fields(kind):
        if field.name not in told:
            missing.append(field.name)
            continue
        told_type = type_text(hints[field.name], titles)
        cells = [f"`{field.encode_name}`", told_type, told[field.name]]
        if file:
            cells[2:2] = [unit(field.name), default_text(field)]
            cells[1] = told_type.removesuffix(" or null")
        rows.append(cells)
    if missing:
        raise ValueError(
            f"{kind.__module__}.{kind.__name__} does not describe {', '.join(missing)}"
        )
    head = ("key", "type", "unit", "default", "meaning") if file else ("field", "type", "meaning")
    return table(head, rows)


def fields(kind: type) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a struct or a dataclass."""
    if issubclass(kind, msgspec.Struct):
        return msgspec.structs.fields(kind)
    known = dataclasses.fields(typing.cast("typing.Any", kind))
    return tuple(msgspec.structs.FieldInfo(each.name, each.name, each.type) for each in known)


def unit(name: str) -> str:
    """Return the unit that the end of a name stands for; empty if there is none."""
    return next((text for end, text in _UNITS.items() if name.endswith(f"_{end}")), "")


def default_text(field: msgspec.structs.FieldInfo) -> str:
    """Return the default of a field."""
    if field.required:
        return "required"
    value = field.default
    if value is msgspec.NODEFAULT or value is None or isinstance(value, (msgspec.Struct, tuple)):
        return "–"
    return _json(value)


def _json(value: object) -> str:
    return f"`{msgspec.json.encode(value).decode()}`"


def described(name: str, node: ast.ClassDef | ast.FunctionDef, depth: int) -> str:
    """Return the section of a function or a class: signature, text, and what it says of its parts.

    Args:
        name: As a program writes it.
        node: Its definition.
        depth: Depth of the heading.
    """
    text, found = sections(ast.get_docstring(node) or "")
    parts = [f"{'#' * depth} `{name}`"]
    if isinstance(node, ast.FunctionDef) and not _is_property(node):
        args = [each for each in ast.unparse(node.args).split(", ") if each not in ("self", "cls")]
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        parts.append(f"```text\n{name}({', '.join(args)}){returns}\n```")
    parts.append(text)
    for title, section in found.items():
        listed = [f"- `{key}`: {told}" for key, told in entries(section).items()]
        parts.append(f"**{_TITLES.get(title, title)}**\n\n" + ("\n".join(listed) or prose(section)))
    return "\n\n".join(parts)


def _is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "property" for each in node.decorator_list)
