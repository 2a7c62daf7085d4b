"""Settings files (rigs, views, profiles): TOML to typed values and back, with helpful errors.

The TOML that it writes is easy to read: short arrays on one line, tables under headers.
"""

import difflib
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec
import tomli_w

from cube.errors import ThistlebotError
from documents.errors import ConfigError
from documents.files import read_text, write_atomically
from documents.lines import KeyPath, TomlLines

LINE_WIDTH = 100

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def format_document(document: Mapping[str, Any]) -> str:
    """Return the document as TOML.

    tomli-w writes keys and scalars; only the layout is our own, because tomli-w puts every number
    of an array on a separate line: a hundred polygons would take a thousand lines.

    Args:
        document: `str` to bool, int, float, str, date, list or mapping, nested; without None.
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
    """Return whether the value is a table, or an array that contains only tables."""
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


Value = TypeVar("Value")

_SYNTAX_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_VALIDATION_PLACE = re.compile(r" - at `(?:key in )?\$?(.*)`$")
_PATH_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[(\.\.\.)\]")
_UNKNOWN_KEY = re.compile(r"^Object contains unknown field `(.+)`$")
_MISSING_KEY = re.compile(r"^Object missing required field `(.+)`$")
_NAMED_KEY = re.compile(r"\[?[A-Za-z0-9_-]+(?:\[\d+\])?(?:\.[A-Za-z0-9_-]+)*\]?")
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}""")
_ANY_KEY = "..."  # msgspec's name for an entry of a table with free keys


def load_document(path: Path | str, kind: type[Value]) -> Value:
    """Read a TOML file into a value of a msgspec type; wrong types are errors and never converted.

    Raises:
        MissingDocumentError: The file does not exist.
        ConfigError: The file is unreadable, not TOML, or not a `kind`; the message names the file,
            the line and the key, and for an unknown key the nearest known one.
    """
    path = Path(path)
    return parse_document(read_text(path), kind, str(path))


def parse_document(text: str, kind: type[Value], name: str) -> Value:
    """Read TOML text; `name` stands for the file in messages.

    Raises:
        ConfigError: As in `load_document`.
    """
    if long := _LONG_KEY.search(text):  # tomllib takes minutes for a key with many parts
        line = text.count("\n", 0, long.start()) + 1
        raise ConfigError(f"{name}, line {line}: this key has too many parts")
    try:
        raw = tomllib.loads(text)
        msgspec.msgpack.encode(raw)  # it knows integers of 64 bits, like TOML's standard
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_syntax_text(name, text, str(error))) from None
    except (ValueError, OverflowError):
        raise ConfigError(f"{name}: a number has too many digits") from None
    except RecursionError:
        raise ConfigError(f"{name}: arrays or tables are nested too deeply") from None
    renewed = getattr(kind, "renewed", None)  # a type that still knows its older keys
    try:
        value = msgspec.convert(renewed(raw)[0] if renewed else raw, kind)
    except (msgspec.ValidationError, ThistlebotError) as error:
        # Our own errors in a type's checks pass through msgspec unchanged.
        problem = str(error)
    except ArithmeticError as error:
        problem = f"a number is too large or too small ({error})"
    else:
        if key := _infinite(raw):
            raise ConfigError(f"{name}: {key} must be a finite number")
        return value
    try:
        _refuse(name, text, raw, kind, problem)
    except RecursionError:  # the search for the place nests more deeply than reading TOML
        raise ConfigError(f"{name}: {problem}") from None


def _infinite(value: object, key: str = "") -> str:
    """Return the key of a number that is infinite or none; empty without such a number."""
    if isinstance(value, float):
        return "" if math.isfinite(value) else key
    inner: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value, start=1)
    found = (_infinite(each, f"{key}.{name}" if key else f"{name}") for name, each in inner)
    return next(filter(None, found), "")


def save_document(path: Path | str, value: object) -> None:
    """Write a msgspec value as TOML, atomically: after a crash the file is the old or the new one.

    Missing parent folders are created.

    Raises:
        ConfigError: The file cannot be written.
    """
    write_atomically(Path(path), document_text(value))


def document_text(value: object) -> str:
    """Return a msgspec value as TOML; entries with the value None are left out."""
    return format_document(_without_none(msgspec.to_builtins(value)))


def _syntax_text(name: str, text: str, problem: str) -> str:
    place = _SYNTAX_PLACE.search(problem)
    lines = text.split("\n")
    line = int(place[1]) if place else len(lines)
    column = f", column {place[2]}" if place else ""
    problem = _SYNTAX_PLACE.sub("", problem).replace(" (at end of document)", "")
    shown = lines[line - 1].strip()
    return f"{name}, line {line}{column}: {problem}" + (f", in `{shown}`" if shown else "")


def _refuse(name: str, text: str, raw: dict[str, Any], kind: type[Value], problem: str) -> NoReturn:
    """Raise the error for a document of the wrong shape, and name the place of the error."""
    found = _VALIDATION_PLACE.search(problem)
    path = _parse_path(found[1]) if found else ()
    problem = _VALIDATION_PLACE.sub("", problem)
    path = _resolve_free_keys(path, raw, kind, problem)
    if unknown := _UNKNOWN_KEY.match(problem):
        problem = f"unknown key{_suggestion(unknown[1], _known_keys(kind, path))}"
        path += (unknown[1],)
    elif missing := _MISSING_KEY.match(problem):
        problem = f"the key `{missing[1]}` is missing; add it"
    elif problem.startswith("Invalid enum value"):
        problem += f"; it must be {_choices(kind, path)}"
    else:
        path += _key_named(problem, _lookup(raw, path))
    line = TomlLines(text).line_of(path)
    place = f"{name}, line {line}" if line else name
    key = format_path(path)
    raise ConfigError(f"{place}, {key}: {problem}" if key else f"{place}: {problem}")


def _key_named(problem: str, below: Any) -> KeyPath:
    """Find the key that a check of several keys names: first, or dotted, or as a header."""
    for number, word in enumerate(_NAMED_KEY.finditer(problem)):
        text = word[0].strip("[]") if word[0][0] == "[" else word[0]
        path = _parse_path(f".{text}")
        if (number == 0 or len(path) > 1 or word[0][0] == "[") and _is_inside(below, path):
            return path
    return ()


def format_path(path: KeyPath) -> str:
    """Write a path in the usual form: ``facelet[3].polygons``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def _parse_path(text: str) -> KeyPath:
    steps: list[str | int] = []
    for key, index, free in _PATH_STEP.findall(text):
        steps.append(int(index) if index else key or free)
    return tuple(steps)


def _resolve_free_keys(
    path: KeyPath, raw: dict[str, Any], kind: type[Value], problem: str
) -> KeyPath:
    """Find the entry of a free table that msgspec meant: the one that alone fails the same way."""
    for place, step in enumerate(path):
        if step != _ANY_KEY:
            continue
        table = _lookup(raw, path[:place])
        if not isinstance(table, dict):
            return path[:place]
        for key in table:
            lone = _replaced(raw, path[:place], {key: table[key]})
            try:
                msgspec.convert(lone, kind)
            except msgspec.ValidationError as error:
                if _VALIDATION_PLACE.sub("", str(error)) == problem:
                    path = (*path[:place], key, *path[place + 1 :])
                    raw = lone
                    break
        else:
            return path[:place]
    return path


def _lookup(raw: Any, path: KeyPath) -> Any:
    for step in path:
        raw = raw[step]
    return raw


def _is_inside(raw: Any, path: KeyPath) -> bool:
    try:
        _lookup(raw, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _replaced(raw: Any, path: KeyPath, value: Any) -> Any:
    """Return a copy of nested tables and arrays with another value in one place."""
    if not path:
        return value
    step = path[0]
    copy: Any = dict(raw) if isinstance(raw, dict) else list(raw)
    copy[step] = _replaced(raw[step], path[1:], value)
    return copy


def _known_keys(kind: type[Value], path: KeyPath) -> tuple[str, ...]:
    """Return the keys that the table at the path may have."""
    return tuple(
        field.encode_name
        for info in _types_at(kind, path)
        if isinstance(info, msgspec.inspect.StructType)
        for field in info.fields
    )


def _choices(kind: type[Value], path: KeyPath) -> str:
    """Return the words that are allowed at the path."""
    words: list[object] = []
    for info in _types_at(kind, path):
        if isinstance(info, msgspec.inspect.LiteralType):
            words += info.values
        elif isinstance(info, msgspec.inspect.EnumType):
            words += [member.value for member in info.cls]
    return ", ".join(f'"{word}"' for word in words)


def _types_at(kind: type[Value], path: KeyPath) -> list[msgspec.inspect.Type]:
    types = [msgspec.inspect.type_info(kind)]
    for step in path:
        types = [below for info in _alternatives(types) for below in _step(info, step)]
    return _alternatives(types)


def _alternatives(types: list[msgspec.inspect.Type]) -> list[msgspec.inspect.Type]:
    flat: list[msgspec.inspect.Type] = []
    for info in types:
        flat.extend(info.types if isinstance(info, msgspec.inspect.UnionType) else (info,))
    return flat


def _step(info: msgspec.inspect.Type, step: str | int) -> list[msgspec.inspect.Type]:
    if isinstance(info, msgspec.inspect.StructType):
        return [field.type for field in info.fields if field.encode_name == step]
    if isinstance(info, msgspec.inspect.DictType):
        return [info.value_type]
    if isinstance(info, msgspec.inspect.TupleType) and isinstance(step, int):
        return [info.item_types[step]] if step < len(info.item_types) else []
    if isinstance(info, msgspec.inspect.CollectionType):
        return [info.item_type]
    return []


def _suggestion(key: str, known: tuple[str, ...]) -> str:
    if near := difflib.get_close_matches(key, known, n=1):
        return f"; did you mean `{near[0]}`?"
    return f"; known keys: {', '.join(known)}" if known else ""


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_none(item) for item in value]
    return value
