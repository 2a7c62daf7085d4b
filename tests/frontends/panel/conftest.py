"""Panels that all tests share: of a virtual rig, of a webcam, and one open to the network."""

from collections.abc import Iterator

import pytest

from panel_desk import PanelProcess, Watcher, served


@pytest.fixture(scope="session")
def rig_panel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PanelProcess]:
    with served(tmp_path_factory.mktemp("panel")) as panel:
        yield panel


@pytest.fixture
def panel(rig_panel: PanelProcess) -> Iterator[PanelProcess]:
    yield rig_panel.at_rest()
    rig_panel.at_rest(hurry=0.5)  # a board that waits in a hurry takes a processor's time


@pytest.fixture(scope="session")
def webcam_panel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PanelProcess]:
    with served(tmp_path_factory.mktemp("webcam"), camera="faces.avi") as panel:
        yield panel


@pytest.fixture(scope="session")
def open_panel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PanelProcess]:
    with served(tmp_path_factory.mktemp("open"), host="0.0.0.0") as panel:
        yield panel


@pytest.fixture
def hand_panel(webcam_panel: PanelProcess) -> Iterator[PanelProcess]:
    """The panel of a computer without a rig; its camera is faces.avi in its folder, or a person."""
    yield webcam_panel.at_rest()
    webcam_panel.at_rest()


@pytest.fixture
def watcher(panel: PanelProcess) -> Iterator[Watcher]:
    with panel.connect() as socket:
        watcher = Watcher(socket)
        yield watcher.until(lambda watcher: bool(watcher.view))
