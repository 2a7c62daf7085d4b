"""Prints the panel's address in the terminal, and as a code for a phone."""

import io
import ipaddress
import socket

from frontends.panel.server.access import Access
from thistlebot.terminal.screen import Screen

_ANYWHERE_ELSE = "192.0.2.1"
"""An unused address (RFC 5737), to which nothing is sent."""


def tell_address(screen: Screen, address: tuple[str, int], access: Access) -> None:
    """Print the panel's address; with a token also as a QR code, if the terminal can show it."""
    url = panel_url(address, access.token)
    screen.line(f"panel     {url}")
    if access.token and screen.out.is_terminal:
        screen.line(qr_code(url))
    screen.note("press Ctrl-C to quit; a turning machine stops at a detent")


def panel_url(address: tuple[str, int], token: str) -> str:
    """Return the address to open in a browser.

    Args:
        address: Host and port of the panel; for all addresses, the one that other computers reach
            is named.
        token: The token; empty if there is none.
    """
    host, port = address
    if _is_any(host):
        host = own_address()
    named = f"[{host}]" if ":" in host else host
    return f"http://{named}:{port}/" + (f"?token={token}" if token else "")


def own_address() -> str:
    """Return the address of this computer for others; loopback without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((_ANYWHERE_ELSE, 9))
        except OSError:
            return "127.0.0.1"
        return str(asked.getsockname()[0])


def qr_code(text: str) -> str:
    """Draw a text as a QR code, two rows per line."""
    import segno

    drawn = io.StringIO()
    segno.make(text, error="m").terminal(drawn, compact=True)
    return drawn.getvalue().rstrip("\n")


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
