"""What became of the cases, kind by kind: as a table, or as JSON."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Row:
    """One kind of fault.

    Attributes:
        struck: Faults that struck while a program was turned.
        missed: Faults that came before or after.
        firmware: How many of those that struck did on the firmware's own binary.
        mega: How many of these on a Mega, with servos, outputs and a switch.
        verified: How many of them with a look at the end.
        solved: Cases that ended with a solved cube.
        gave_up: Cases that ended without, although the cube could have been solved.
        wrong: What was wrong, with the number of the case.
    """

    struck: int = 0
    missed: int = 0
    firmware: int = 0
    mega: int = 0
    verified: int = 0
    solved: int = 0
    gave_up: int = 0
    wrong: list[str] = field(default_factory=list)

    def __add__(self, other: "Row") -> "Row":
        return Row(**{name: value + getattr(other, name) for name, value in vars(self).items()})


def total(rows: dict[str, Row]) -> Row:
    """Add the kinds up."""
    return sum(rows.values(), Row())


def table(rows: dict[str, Row]) -> str:
    """Write the rows for people, and below them what was wrong."""
    lines = [
        f"{'fault':<32} {'struck':>6} {'firmware':>8} {'mega':>6} {'verified':>8} {'solved':>6} "
        f"{'gave up':>7} {'wrong':>5}"
    ]
    for kind, row in [*rows.items(), ("all", total(rows))]:
        lines.append(
            f"{kind:<32} {row.struck:>6} {row.firmware:>8} {row.mega:>6} "
            f"{row.verified:>8} {row.solved:>6} {row.gave_up:>7} {len(row.wrong):>5}"
        )
    lines += [f"{kind}: {text}" for kind, row in rows.items() for text in row.wrong]
    return "\n".join(lines)


def record(rows: dict[str, Row], seed: int) -> dict[str, Any]:
    """Write the same for programs."""
    kinds = {kind: asdict(row) for kind, row in rows.items()}
    return {"seed": seed, "kinds": kinds, "all": asdict(total(rows))}
