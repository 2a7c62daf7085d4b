"""The net of the cube, where a tap on a sticker corrects it."""

from cube.net import SCREEN_COLOURS
from thistlebot.panel.elements.cube import Net, NetWords
from thistlebot.panel.pages.page import Page

_SEND = {
    "correct": "(event) => window.thistlebot.send({command: 'tell_sticker', "
    "sticker: event.facelet, face: event.letter})",
    "turn": "(event) => window.thistlebot.send({command: 'turn_face', "
    "face: event.face, quarters: event.quarters})",
    "exchange": "(event) => window.thistlebot.send({command: 'exchange_faces', "
    "one: event.faces[0], other: event.faces[1]})",
}


def net_words(page: Page) -> NetWords:
    """Return what the net says, in the page's language."""
    words = page.words
    colours = {name: words(f"cube.{name}") for name in SCREEN_COLOURS}
    colours["unknown"] = words("net.unknown")
    said = ("sure", "fair", "poor", "doubt", "clockwise", "anticlockwise", "exchange")
    return NetWords(colours, **{name: words(f"net.{name}", face="{face}") for name in said})


def build_net(page: Page) -> None:
    """Build the net of the cube in the machine."""
    net = Net(label=page.words("run.net"), words=net_words(page), live=True, editable=True)
    net.classes("fit")
    send_corrections(net)


def send_corrections(net: Net) -> None:
    """Have what is tapped on a net sent as corrections."""
    for name, handler in _SEND.items():
        net.on(name, js_handler=handler)
