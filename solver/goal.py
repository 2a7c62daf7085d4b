"""The objectives, in a separate module so that the command line need not load the solver."""

from enum import StrEnum

from documents.plugins import added_names
from solver.errors import SolverError


class Goal(StrEnum):
    """The objectives: the number of turns in one of the metrics, or time on a rig."""

    HTM = "htm"
    QTM = "qtm"
    AXIAL = "axial"
    AXIAL_QTM = "axial-qtm"
    TIME = "time"


def objective_names() -> list[str]:
    """Return the names of all objectives: those of `Goal`, then those of plugins."""
    return list(dict.fromkeys([*Goal, *added_names("objectives")]))


def objective_named(name: str) -> str:
    """Return the name of an objective, once it is known that there is one.

    Raises:
        SolverError: There is no goal with this name.
    """
    if name not in objective_names():
        raise SolverError(
            f"there is no objective {name!r}: choose one of {', '.join(objective_names())}"
        )
    return str(name)
