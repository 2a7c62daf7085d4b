"""What each threshold on the margin would accept, and how much of it wrongly."""

from collections.abc import Mapping, Sequence

from benchmarks.vision.colour_benchmark import ReadingOutcome
from vision.reading import ReadingState


def acceptance_curve(outcomes: Sequence[ReadingOutcome]) -> list[tuple[float, float, float]]:
    """For every threshold on the margin: share accepted, and share wrong of all, 0..1.

    Readings that are refused for another reason stay refused.
    """
    total = max(1, len(outcomes))
    open_to = [o for o in outcomes if not o.suspected and o.state is not ReadingState.AMBIGUOUS]
    curve = []
    for step in range(51):
        threshold = step / 2
        taken = [o for o in open_to if o.margin >= threshold]
        curve.append((threshold, len(taken) / total, sum(not o.right for o in taken) / total))
    return curve


def plot_curve_svg(
    curves: Mapping[str, Sequence[tuple[float, float, float]]], chosen: float
) -> str:
    """Draw what each threshold would accept, and how much of it wrongly, as an SVG picture."""
    width, row, left = 640, 150, 60
    height = 40 + row * len(curves)
    scale = (width - left - 20) / 25.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="18">accepted (green) and wrong (red, ×10) by least margin, nats; '
        f"chosen {chosen:g}</text>",
    ]
    for number, (name, curve) in enumerate(curves.items()):
        base = 30 + row * (number + 1) - 30
        parts.append(f'<text x="8" y="{base - 104}">{name}</text>')
        parts.append(
            f'<path d="M{left} {base}H{width - 20}M{left} {base}V{base - 100}" stroke="black"/>'
        )
        x = left + chosen * scale
        parts.append(f'<path d="M{x:.1f} {base}V{base - 100}" stroke="gray"/>')
        for column, colour, factor in ((1, "#2a7", 1.0), (2, "#d33", 10.0)):
            points = " ".join(
                f"{left + point[0] * scale:.1f},{base - min(1.0, factor * point[column]) * 100:.1f}"
                for point in curve
            )
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        parts += [
            f'<text x="{left + mark * scale:.1f}" y="{base + 14}">{mark}</text>'
            for mark in range(0, 26, 5)
        ]
    return "\n".join([*parts, "</svg>", ""])
