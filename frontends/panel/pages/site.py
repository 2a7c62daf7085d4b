"""The addresses of the pages."""

from nicegui import Client, ui
from nicegui import app as nicegui_app
from starlette.requests import Request
from starlette.responses import RedirectResponse

from frontends.control.hub import Hub
from frontends.control.jobs.assistant import opens_first
from frontends.control.worker import WorkerSetup
from frontends.panel.address import own_address, panel_url
from frontends.panel.pages.frame import ASSISTANT, PANELS, build_frame
from frontends.panel.pages.page import Page, ViewPump
from frontends.panel.pages.school_verbs import SchoolVerbs
from frontends.panel.pages.show import build_show
from frontends.panel.server.access import is_loopback
from frontends.panel.server.devices import DeviceScope
from frontends.panel.server.guard import SCOPE, VISITED
from thistlebot.words.words import load_words, preferred_language

LANGUAGE_COOKIE = "thistlebot_language"
SHADE_COOKIE = "thistlebot_shade"
_DARK = {"light": False, "dark": True}
MOST_UNOPENED = 6
"""Maximum number of requested pages that no browser has opened yet; NiceGUI keeps each for a
minute.
"""


def add_pages(hub: Hub, setup: WorkerSetup, visitor: str) -> None:
    """Add all pages.

    Args:
        hub: Publishes the view.
        setup: The machine.
        visitor: The token of visitors; empty if only this computer is served.
    """
    pump, school = ViewPump(hub), SchoolVerbs()
    nicegui_app.on_startup(pump.start)
    # its bar at each request has no use for people, and no name for a screen reader
    nicegui_app.config.quasar_config["loadingBar"]["skipHijack"] = True
    ui.menu_item.default_props("role=menuitem")  # Quasar calls it an entry of a list

    def page_for(request: Request) -> Page:
        _drop_unopened()
        wish = request.cookies.get(LANGUAGE_COOKIE) or preferred_language(
            request.headers.get("accept-language", "")
        )
        ui.dark_mode(_DARK.get(request.cookies.get(SHADE_COOKIE, "")))
        return Page(hub, setup, load_words(wish), pump, school)

    @ui.page("/")
    def main(request: Request) -> None:
        page = page_for(request)
        page.card = request.query_params.get("card", "")
        allowed = request.scope[SCOPE]()
        page.calibrates = allowed is not None and allowed.allows(DeviceScope.CALIBRATE)
        page.typed = request.query_params.get("cube", "")
        build_frame(page, request.query_params.get("tab") or _first_tab(setup))

    @ui.page("/show")
    def show(request: Request) -> None:
        visits = request.scope[SCOPE]() is DeviceScope.VISIT
        invitation = "" if visits or not visitor else _invitation(request, visitor)
        build_show(page_for(request), visits=visits, invitation=invitation)

    def at_tab(request: Request) -> RedirectResponse:
        return RedirectResponse(f"./?tab={request.url.path.rpartition('/')[2]}")

    for tab in PANELS:  # what people type
        nicegui_app.add_route(f"/{tab.key}", at_tab)


def _first_tab(setup: WorkerSetup) -> str:
    """Return the tab that opens by itself; empty for the first one."""
    return ASSISTANT.key if setup.assisted and opens_first(setup.folders) else ""


def _invitation(request: Request, visitor: str) -> str:
    """Return the address for visitors' phones, for which this computer has another name."""
    host, port = request.url.hostname or "", request.url.port or 80
    if is_loopback(host):
        return panel_url((own_address(), port), visitor).replace("/?", f"{VISITED}?")
    prefix = request.headers.get("x-forwarded-prefix", "").rstrip("/")
    return f"{request.url.scheme}://{request.url.netloc}{prefix}{VISITED}?token={visitor}"


def _drop_unopened() -> None:
    """Drop the oldest pages that no browser has opened, if there are many."""
    # One that was opened has an environment, and NiceGUI drops it itself after it was closed.
    unopened = [client for client in Client.instances.values() if client.environ is None]
    for client in sorted(unopened, key=lambda each: each.created)[:-MOST_UNOPENED]:
        client.delete()
