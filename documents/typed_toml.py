"""Settings files (rigs, views, profiles): TOML to typed values and back, with helpful errors.

The TOML that it writes is easy to read: short arrays on one line, tables under headers.
"""

import difflib
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from cube.errors import ThistlebotError
from documents.errors import ConfigError
from documents.files import read_text, write_atomically
from documents.slips import syntax_remedy, type_remedy

KeyPath = tuple[str | int, ...]
Value = TypeVar("Value")

LINE_WIDTH = 100

_VALIDATION_PLACE = re.compile(r" - at `(?:key in )?\$?(.*)`$")
_PATH_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[(\.\.\.)\]")
_UNKNOWN_KEY = re.compile(r"^Object contains unknown field `(.+)`$")
_MISSING_KEY = re.compile(r"^Object missing required field `(.+)`$")
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}""")
_ANY_KEY = "..."  # msgspec's name for an entry of a table with free keys


def load_document(path: Path | str, kind: type[Value]) -> Value:
    """Read a TOML file into a value of a msgspec type; wrong types are errors and never converted.

    Raises:
        MissingDocumentError: The file does not exist.
        ConfigError: The file is unreadable, not TOML, or not a `kind`; the message names the file
            and the key, or the line of wrong TOML, and for an unknown key the nearest known one.
    """
    path = Path(path)
    return parse_document(read_text(path), kind, str(path))


def parse_document(text: str, kind: type[Value], name: str) -> Value:
    """Read TOML text; `name` stands for the file in messages.

    Raises:
        ConfigError: As in `load_document`.
    """
    if _LONG_KEY.search(text):  # tomllib takes minutes for such a key
        raise ConfigError(f"{name}: a key has too many parts")
    try:
        raw = tomllib.loads(text)
        msgspec.msgpack.encode(raw)  # it knows integers of 64 bits, like TOML's standard
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: {error}{syntax_remedy(text, str(error))}") from None
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
        _refuse(name, raw, kind, problem)
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
    import tomlkit  # most programs only read

    return tomlkit.dumps(_laid_out(msgspec.to_builtins(value)))


def _laid_out(value: Any) -> Any:
    """Return a value for tomlkit: long arrays one item a line, and nothing for None."""
    import tomlkit

    if isinstance(value, Mapping):
        return {key: _laid_out(item) for key, item in value.items() if item is not None}
    if not isinstance(value, list | tuple) or (value and isinstance(value[0], Mapping)):
        return [*map(_laid_out, value)] if isinstance(value, list | tuple) else value
    array = tomlkit.item(list(value))
    return array.multiline(len(array.as_string()) > LINE_WIDTH)


def with_values(text: str, values: Mapping[KeyPath, object]) -> str:
    """Write values into TOML text; comments and the order of the keys stay as they are.

    Args:
        text: Valid TOML.
        values: The values by the paths of their keys; None removes a key. A new key becomes the
            first of its table.
    """
    import tomlkit

    document = tomlkit.parse(text)
    fresh = []
    for path, value in values.items():
        table: Any = document
        for step in path[:-1]:
            if isinstance(step, str) and step not in table:
                table[step] = tomlkit.table()
            table = table[step]
        header = re.compile(rf"^[ \t]*\[{re.escape(format_path(path[:-1]))}\].*\n", re.MULTILINE)
        if value is None:
            del table[path[-1]]
        elif path[-1] in table or not header.search(text):
            table[path[-1]] = value
        else:  # tomlkit would write it behind the remarks on the table that follows
            fresh.append((header, f"{path[-1]} = {tomlkit.item(value).as_string()}\n"))
    text = tomlkit.dumps(document)
    for header, line in reversed(fresh):
        if found := header.search(text):
            text = text[: found.end()] + line + text[found.end() :]
    return text


def _refuse(name: str, raw: dict[str, Any], kind: type[Value], problem: str) -> NoReturn:
    """Raise the error for a document of the wrong shape, and name the key of the error."""
    found = _VALIDATION_PLACE.search(problem)
    path = _parse_path(found[1]) if found else ()
    problem = _VALIDATION_PLACE.sub("", problem)
    path = _resolve_free_keys(path, raw, kind, problem)
    if unknown := _UNKNOWN_KEY.match(problem):
        problem = f"unknown key{_suggestion(unknown[1], _known_keys(kind, path))}"
        path += (unknown[1],)
    elif missing := _MISSING_KEY.match(problem):
        problem = f"the key `{missing[1]}` is missing; add it"
    elif found and (choices := _choices(kind, path)):
        problem = f"{_lookup(raw, path)!r} is wrong; write {choices}"
    elif found:
        problem = type_remedy(problem, _lookup(raw, path))
    key = format_path(path)
    raise ConfigError(f"{name}, {key}: {problem}" if key else f"{name}: {problem}")


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
    """Return the values that are allowed at the path, if these are few; else an empty text."""
    words: list[object] = []
    for info in _types_at(kind, path):
        if isinstance(info, msgspec.inspect.LiteralType):
            words += info.values
        elif isinstance(info, msgspec.inspect.EnumType):
            words += [member.value for member in info.cls]
        elif isinstance(info, msgspec.inspect.BoolType):
            words += [True, False]
        else:
            return ""
    return " or ".join(
        f'"{word}"' if isinstance(word, str) else str(word).lower() for word in words
    )


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
