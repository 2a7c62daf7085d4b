"""Pages that are complete in themselves: they load nothing."""

from collections.abc import Iterable
from html import escape

from thistlebot.words.words import Words

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def html_page(title: str, style: str, body: Iterable[str], words: Words) -> str:
    """Return a page with a title, a style sheet and the lines of its body, which may have scripts.

    Args:
        title: The title; it is escaped here.
        style: The style sheet.
        body: The lines of the body, as HTML.
        words: The texts of its language.
    """
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="{words.language}">',
            "<head>",
            '<meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            *body,
            "</body>",
            "</html>",
            "",
        )
    )
