"""SVG as text: elements with escaped texts and short numbers, and whole documents.

All drawing code uses these functions, so a name that a user typed cannot break a picture.
"""

from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Value = float | str
_NAMESPACE = "http://www.w3.org/2000/svg"


def element(name: str, /, *inside: str, **attributes: Value) -> str:
    """Write an element.

    Args:
        name: A name such as ``circle``.
        inside: Other elements, or texts that are escaped already.
        attributes: Numbers are rounded to tenths. ``stroke_width`` is written with a hyphen,
            ``class_`` without the underscore.
    """
    if not inside:
        return f"<{name}{_written(attributes)}/>"
    return f"{opening(name, **attributes)}{''.join(inside)}</{name}>"


def opening(name: str, /, **attributes: Value) -> str:
    """Write the opening tag of an element that is written piece by piece."""
    return f"<{name}{_written(attributes)}>"


def text(words: str, x: float, y: float, **attributes: Value) -> str:
    """Write a text at a point."""
    return element("text", escape(words), x=x, y=y, **attributes)


def title(words: str) -> str:
    """Write the title of the surrounding element."""
    return element("title", escape(words))


def points(places: Iterable[tuple[float, float]]) -> str:
    """Write the points of a polygon or a polyline."""
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in places)


def document(
    size: tuple[float, float],
    body: Sequence[str],
    *,
    style: str = "",
    ground: Mapping[str, Value] | None = None,
    about: tuple[str, str] = ("", ""),
    **attributes: Value,
) -> str:
    """Write a complete picture.

    Args:
        size: Width and height, pixels.
        body: Its elements.
        style: CSS.
        ground: Attributes of the background, such as its fill; by default there is no background.
        about: Title and description for screen readers.
        attributes: Attributes of the outermost element.
    """
    width, height = (f"{side:.0f}" for side in size)
    if any(about):
        attributes |= {"viewBox": f"0 0 {width} {height}", "role": "img"}
    head = [
        element(name, escape(said))
        for name, said in zip(("title", "desc"), about, strict=True)
        if said
    ]
    if style:
        head.append(element("style", style))
    if ground:
        head.append(element("rect", width="100%", height="100%", **ground))
    lines = "\n".join(["", *head, *body, ""])
    outer = {"xmlns": _NAMESPACE, "width": width, "height": height, **attributes}
    return element("svg", lines, **outer) + "\n"


def chart(size: tuple[float, float], body: Sequence[str]) -> str:
    """Write a chart for a report, on a white background."""
    return document(size, body, ground={"fill": "white"}, font_family="sans-serif", font_size=12)


def _written(attributes: Mapping[str, Value]) -> str:
    pairs = ((key.rstrip("_").replace("_", "-"), each) for key, each in attributes.items())
    return "".join(f" {key}={_quoted(each)}" for key, each in pairs)


def _quoted(value: Value) -> str:
    return quoteattr(value) if isinstance(value, str) else f'"{_short(value)}"'


def _short(value: float) -> str:
    return str(round(float(value), 1)).removesuffix(".0")
