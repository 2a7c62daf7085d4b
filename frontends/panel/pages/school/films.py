"""The pages that the school's verbs write, shown inside the page School."""

import html

from nicegui import ui


def show_film(title: str, film: str) -> None:
    """Show a page that is complete in itself; it cannot access the panel."""
    ui.html(
        f'<iframe class="school-film" title="{html.escape(title)}" sandbox="allow-scripts" '
        f'srcdoc="{html.escape(film)}"></iframe>',
        sanitize=False,
    )
