"""Computers without ports, for the tests of verbs."""

import pytest
from serial.tools import list_ports


@pytest.fixture
def no_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", list)
