"""The net of the cube on a page, where a tap on a sticker corrects it."""

from cube.net import SCREEN_COLOURS
from frontends.panel.pages.cubes import Net
from frontends.panel.pages.page import Page

_SEND = {
    "correct": "(event) => window.thistlebot.send({command: 'tell_sticker', "
    "sticker: event.facelet, face: event.letter})",
    "turn": "(event) => window.thistlebot.send({command: 'turn_face', "
    "face: event.face, quarters: event.quarters})",
    "exchange": "(event) => window.thistlebot.send({command: 'exchange_faces', "
    "one: event.faces[0], other: event.faces[1]})",
}


def net_words(page: Page) -> dict[str, str]:
    """Return the texts of the net, in the page's language."""
    words = page.words
    colours = {name: words(f"cube.{name}") for name in SCREEN_COLOURS}
    colours["unknown"] = words("net.unknown")
    said = ("sure", "fair", "poor", "doubt", "clockwise", "anticlockwise", "exchange")
    return colours | {name: words(f"net.{name}", face="{face}") for name in said}


def build_net(page: Page) -> None:
    """Build the net of the cube in the machine."""
    net = Net(label=page.words("run.net"), words=net_words(page), live=True, editable=True)
    net.classes("fit")
    send_corrections(net)


def send_corrections(net: Net) -> None:
    """Send taps on a net as corrections."""
    for name, handler in _SEND.items():
        net.on(name, js_handler=handler)
