"""What all pages are built with."""

import asyncio
from typing import Any, cast

import pytest
from nicegui.client import Client

from thistlebot.control.hub import Hub
from thistlebot.control.view_model.view import ViewModel
from thistlebot.panel.pages.page import ViewPump


class Browser:
    """A page as the pump knows it."""

    id = "one"

    def on_delete(self, _: Any) -> None:
        """Stay."""


def test_a_bug_in_one_page_does_not_end_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    hub = Hub(ViewModel("none"))
    pump, browser = ViewPump(hub), cast(Client, Browser())
    seen: list[str] = []
    pump.add(browser, lambda view: view.panes["a bug"])
    pump.add(browser, lambda view: seen.extend(view.panes))

    async def two_views() -> None:
        running = asyncio.create_task(pump._run())
        for pane in ("first", "second"):
            await asyncio.sleep(0)
            hub.show(pane, "something")
            while pane not in seen:
                await asyncio.sleep(0)
        running.cancel()

    asyncio.run(asyncio.wait_for(two_views(), 20))
    assert capsys.readouterr().err.count("KeyError") == 1
