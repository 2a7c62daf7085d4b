"""Runs without anything that identifies the machine's owner: no names, paths and addresses."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from thistlebot.journal.rows import Picture, StoredRun

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://(?:\S*@)?[^\s'\",;)]*", re.IGNORECASE)
"""A password may contain any character."""
_SERIAL = re.compile(r"\busb-[\w.:-]+|\b(?:cu|tty)\.usb[\w-]+|\bSER=\S+")
"""Names of ports contain serial numbers of boards."""
_DEVICE = "device"
_PATH = re.compile(
    r"""(?:^|(?<=[\s'"`(=,:]))(?:~|\.{1,2}|[A-Za-z]:)?[/\\]"""  # beginnings of paths
    r"""(?:(?:[^\s'"`,;:()]|[ ](?![/\\]))*[/\\])?([^\s'"`,;:()/\\]+)"""
)
_ELSEWHERE = "address"
_SOMEBODY = "user"
_NO_NAMES = frozenset({"root", "user", "admin"})
_SHORTEST_NAME = 3
"""Shorter user names are also common words."""


def anonymous(
    run: StoredRun, pictures: Iterable[Picture], folders: Iterable[str], user: str
) -> tuple[StoredRun, tuple[Picture, ...]]:
    """Return the run anonymised: file names in place of paths, without addresses and names.

    Args:
        run: The stored run.
        pictures: Its pictures.
        folders: The user's; afterwards no path in the run begins with one of them.
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
    """Replaces known names, and everything that looks like a path or an address."""

    def __init__(self, short: Mapping[str, str], user: str) -> None:
        self._short = sorted(short.items(), key=lambda pair: -len(pair[0]))
        named = len(user) >= _SHORTEST_NAME and user not in _NO_NAMES
        self._user = re.compile(rf"\b{re.escape(user)}\b") if named else None

    def json(self, content: msgspec.Raw) -> msgspec.Raw:
        return msgspec.Raw(msgspec.json.encode(self._value(msgspec.json.decode(content))))

    def text(self, text: str) -> str:
        for long, short in self._short:
            text = text.replace(long, short)
        text = _SERIAL.sub(_DEVICE, _ADDRESS.sub(_ELSEWHERE, text))
        text = _PATH.sub(r"\1", text)
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
