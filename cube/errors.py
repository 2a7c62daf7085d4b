"""The root of every error that the project raises on purpose."""


class ThistlebotError(Exception):
    """Something went wrong that the user can understand and fix.

    The message says what happened, where, and what to do next. Any other exception that reaches
    the user is a bug.
    """


class InvalidCubeError(ThistlebotError):
    """A text or a set of stickers does not describe a state of a cube."""


class NotationError(ThistlebotError):
    """A text is not a sequence of moves."""
