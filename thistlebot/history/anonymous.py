"""Takes out of a run what says whose machine it was: paths, addresses of cameras."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from thistlebot.journal.rows import Picture, StoredRun

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s'\",;)]+", re.IGNORECASE)
_PATH = re.compile(
    r"""(?:^|(?<=[\s'"`(=,:]))(?:~|\.{1,2}|[A-Za-z]:)?[/\\]"""  # how a path begins
    r"""(?:[^\s'"`,;:()]*[/\\])?([^\s'"`,;:()/\\]+)"""
)
_ELSEWHERE = "address"
_SOMEBODY = "user"
_NO_NAMES = frozenset({"root", "user", "admin"})
_SHORTEST_NAME = 3
"""Shorter names of users are words of other things, too."""


def anonymous(
    run: StoredRun, pictures: Iterable[Picture], folders: Iterable[str], user: str
) -> tuple[StoredRun, tuple[Picture, ...]]:
    """Return the same run with names of files in place of paths, without addresses and names.

    Args:
        run: What was said of it.
        pictures: What its cameras saw.
        folders: The user's; no path in the run begins with one of them afterwards.
        user: The user's name in the system.
    """
    kept = tuple(pictures)
    short = {f"{folder.rstrip('/')}/": "" for folder in folders}
    for source in (each.source for each in kept if each.png):
        short |= {source: file_name(source)}
        if folder := source.removesuffix(file_name(source)):
            short |= {folder: ""}
    cleaner = _Cleaner(short, user)
    return msgspec.structs.replace(
        run,
        context=cleaner.json(run.context),
        events=tuple((time_s, cleaner.json(event)) for time_s, event in run.events),
    ), tuple(msgspec.structs.replace(each, source=cleaner.text(each.source)) for each in kept)


def file_name(path: str) -> str:
    """Return the last part of a path of any system; an address has none."""
    return _ELSEWHERE if _ADDRESS.match(path) else re.split(r"[/\\]", path.rstrip("/\\"))[-1]


class _Cleaner:
    """Replaces what is known, and whatever looks like a path or an address."""

    def __init__(self, short: Mapping[str, str], user: str) -> None:
        self._short = sorted(short.items(), key=lambda pair: -len(pair[0]))
        named = len(user) >= _SHORTEST_NAME and user not in _NO_NAMES
        self._user = re.compile(rf"\b{re.escape(user)}\b") if named else None

    def json(self, content: msgspec.Raw) -> msgspec.Raw:
        return msgspec.Raw(msgspec.json.encode(self._value(msgspec.json.decode(content))))

    def text(self, text: str) -> str:
        for long, short in self._short:
            text = text.replace(long, short)
        text = _PATH.sub(r"\1", _ADDRESS.sub(_ELSEWHERE, text))
        return text if self._user is None else self._user.sub(_SOMEBODY, text)

    def _value(self, value: Any) -> Any:
        match value:
            case dict():
                return {key: self._value(each) for key, each in value.items()}
            case list():
                return [self._value(each) for each in value]
            case str():
                return self.text(value)
        return value
