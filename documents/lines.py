"""The line of each key and each array item of a TOML text.

`tomllib` does not keep positions. This scanner keeps only positions. It runs on text that `tomllib`
has accepted, so it follows the grammar of TOML 1.0 (https://toml.io/en/v1.0.0) without checking it.
"""

import bisect
import re
import tomllib
from collections.abc import Iterator

KeyPath = tuple[str | int, ...]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SIMPLE_VALUE = re.compile(r"[^,\]}\n#]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SEPARATORS = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")
_SPACES = re.compile(r"[ \t]*")
_STRINGS = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}(?!")', re.DOTALL),
    re.compile(r"'''.*?'{3,5}(?!')", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)


class TomlLines:
    """The lines of a TOML document.

    Args:
        text: Valid TOML.
    """

    def __init__(self, text: str) -> None:
        self._lines = _Scanner(text).scan()

    def line_of(self, path: KeyPath) -> int | None:
        """Return the line, from 1, of a key, or of the nearest table around it.

        The result is None if no part of the path is in the document.
        """
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return None


class _Scanner:
    """Scans the text once; `_at` is the current position."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._newlines = [match.start() for match in re.finditer("\n", text)]
        self._lines: dict[KeyPath, int] = {}
        self._array_sizes: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._key_and_value(table)
            self._skip(_BLANK)
        return self._lines

    def _header(self) -> KeyPath:
        line = self._line()
        is_array = self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        path: KeyPath = ()
        parts = self._dotted_key()
        for number, part in enumerate(parts):
            path += (part,)
            self._lines.setdefault(path, line)
            if is_array and number == len(parts) - 1:
                self._array_sizes[path] = self._array_sizes.get(path, 0) + 1
            if path in self._array_sizes:
                path += (self._array_sizes[path] - 1,)
                self._lines.setdefault(path, line)
        self._skip(_SPACES)
        self._at += 2 if is_array else 1
        return path

    def _key_and_value(self, table: KeyPath) -> None:
        line = self._line()
        path = table
        for part in self._dotted_key():
            path += (part,)
            self._lines.setdefault(path, line)
        self._skip(_SPACES)
        self._at += 1  # =
        self._skip(_SPACES)
        self._value(path)

    def _dotted_key(self) -> list[str]:
        parts = []
        while True:
            self._skip(_SPACES)
            parts.append(self._key())
            self._skip(_SPACES)
            if not self._text.startswith(".", self._at):
                return parts
            self._at += 1

    def _key(self) -> str:
        start = self._at
        if self._text[start] in "\"'":
            self._string()
            # One quoted key is a complete TOML value, so the real parser reads its escapes.
            return str(tomllib.loads(f"key = {self._text[start : self._at]}")["key"])
        self._skip(_BARE_KEY)
        return self._text[start : self._at]

    def _value(self, path: KeyPath) -> None:
        first = self._text[self._at]
        if first in "\"'":
            self._string()
        elif first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        else:
            self._skip(_SIMPLE_VALUE)

    def _array(self, path: KeyPath) -> None:
        for number, _ in enumerate(self._items("]")):
            item = (*path, number)
            self._lines.setdefault(item, self._line())
            self._value(item)

    def _inline_table(self, path: KeyPath) -> None:
        for _ in self._items("}"):
            self._key_and_value(path)

    def _items(self, end: str) -> Iterator[None]:
        """Stop before each item, which the caller reads, and end after the closing bracket."""
        self._at += 1
        self._skip(_SEPARATORS)
        while self._text[self._at] != end:
            yield
            self._skip(_SEPARATORS)
        self._at += 1

    def _string(self) -> None:
        for pattern in _STRINGS:
            if match := pattern.match(self._text, self._at):
                self._at = match.end()
                return

    def _skip(self, pattern: re.Pattern[str]) -> None:
        if match := pattern.match(self._text, self._at):
            self._at = match.end()

    def _line(self) -> int:
        return bisect.bisect_left(self._newlines, self._at) + 1
