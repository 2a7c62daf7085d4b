"""The addresses of the pages."""

from nicegui import Client, ui

from frontends.panel.pages.site import MOST_UNOPENED, _drop_unopened


def test_pages_that_nobody_opens_are_not_kept() -> None:
    pages = [Client(ui.page("/"), request=None).id for _ in range(3 * MOST_UNOPENED)]
    _drop_unopened()
    assert [each for each in pages if each in Client.instances] == pages[-MOST_UNOPENED:]
