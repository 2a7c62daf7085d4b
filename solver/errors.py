"""The errors of the solver."""

from cube.errors import ThistlebotError


class SolverError(ThistlebotError):
    """A state, face set or budget that the solver does not support."""


class TableError(SolverError):
    """A table that could not be built, read or stored."""
