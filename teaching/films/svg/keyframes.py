"""Properties that change at once at given times, as CSS animations that need no script.

What has the same timeline shares it. The animated values hold while the film runs; what stands in
the elements themselves is the last frame, for those who ask for less motion and for programs that
do not animate.
"""

from collections.abc import Iterable

Change = tuple[float, str]
"""From so many seconds on, this value."""


class Keyframes:
    """The timelines of a film.

    Args:
        total_s: How long it takes.
    """

    def __init__(self, total_s: float) -> None:
        self._total_s = total_s
        self._names: dict[tuple[str, tuple[Change, ...]], str] = {}

    def name(self, property_name: str, changes: Iterable[Change]) -> str:
        """The name of a timeline; empty where nothing changes.

        Args:
            property_name: Of CSS.
            changes: In the order of time, the first at 0.
        """
        kept: list[Change] = []
        for change in changes:
            if not kept or kept[-1][1] != change[1]:
                kept.append(change)
        if len(kept) < 2:
            return ""
        key = (property_name, tuple(kept))
        return self._names.setdefault(key, f"t{len(self._names)}")

    def css(self) -> str:
        """The timelines; elements with a style of their own follow those that it names."""
        rules = [
            f"[style]{{animation:{self._total_s:.2f}s step-end infinite}}",
            "@media(prefers-reduced-motion:reduce){[style]{animation:none!important}}",
        ]
        for (property_name, changes), name in self._names.items():
            at: dict[str, list[str]] = {}
            for time_s, value in changes:
                at.setdefault(value, []).append(self._percent(time_s))
            steps = "".join(
                f"{','.join(times)}{{{property_name}:{value}}}" for value, times in at.items()
            )
            rules.append(f"@keyframes {name}{{{steps}}}")
        return "\n".join(rules)

    def _percent(self, time_s: float) -> str:
        text = f"{100 * time_s / self._total_s:.3f}".rstrip("0").rstrip(".")
        return f"{text}%"


def timed(*names: str) -> str:
    """The attributes of an element that follows timelines; those without a name do not count."""
    named = ",".join(name for name in names if name)
    return f' style="animation-name:{named}"' if named else ""
