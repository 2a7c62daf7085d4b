"""What tests of verbs share: the machines that they open, and computers without ports."""

import pytest
from serial.tools import list_ports

from thistlebot.session.machine import Machine


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> list[Machine]:
    opened: list[Machine] = []
    begin = Machine.__init__

    def remember(self: Machine, *arguments: object, **named: object) -> None:
        opened.append(self)
        begin(self, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Machine, "__init__", remember)
    return opened


@pytest.fixture
def no_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", list)
