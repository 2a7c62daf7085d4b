"""Writes TOML that people like to read: short arrays on one line, tables under headers."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import tomli_w

LINE_WIDTH = 100

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def format_document(document: Mapping[str, Any]) -> str:
    """Return the document as TOML.

    Keys and scalars are spelled by tomli-w; only the layout is our own, because tomli-w puts every
    number of an array on a line of its own, which makes a hundred polygons a thousand lines.

    Args:
        document: `str` to bool, int, float, str, date, list or mapping, nested; no None.
    """
    return "\n".join(_table((), document)).strip("\n") + "\n"


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    inner = {key: value for key, value in table.items() if _has_header(value)}
    for key, value in table.items():
        if key not in inner:
            yield from _entry(key, value)
    for key, value in inner.items():
        below = (*path, key)
        if isinstance(value, Mapping):
            if not value or any(not _has_header(entry) for entry in value.values()):
                yield from ("", f"[{_dotted(below)}]")
            yield from _table(below, value)
        else:
            for item in value:
                yield from ("", f"[[{_dotted(below)}]]")
                yield from _table(below, item)


def _has_header(value: object) -> bool:
    """Whether the value is a table, or an array of nothing but tables."""
    if isinstance(value, Mapping):
        return True
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(item, Mapping) for item in value)
    )


def _entry(key: str, value: object) -> Iterator[str]:
    start = f"{_key(key)} = "
    text = _inline(value)
    if isinstance(value, list | tuple) and value and len(start) + len(text) > LINE_WIDTH:
        yield start + "["
        yield from (f"  {_inline(item)}," for item in value)
        yield "]"
    else:
        yield start + text


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        entries = ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in value.items())
        return "{ " + entries + " }" if entries else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").removesuffix("\n")


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(_key(part) for part in path)


def _key(key: str) -> str:
    if _BARE_KEY.fullmatch(key):
        return key
    return tomli_w.dumps({key: 0}).removesuffix(" = 0\n")
