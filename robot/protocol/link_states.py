"""The states of a connection and their transitions: the table that docs/protocol.md draws."""

from enum import Enum, auto


class LinkState(Enum):
    """The state of a connection."""

    CLOSED = auto()
    GREETING = auto()
    READY = auto()
    LOST = auto()
    RESTARTED = auto()
    FOREIGN = auto()


class Signal(Enum):
    """An event of a connection."""

    OPEN = auto()
    REPLY = auto()
    REPLY_AFTER_RESTART = auto()
    REPLY_OF_OTHER_VERSION = auto()
    NO_REPLY = auto()
    DOUBT = auto()
    SILENCE = auto()
    HANG_UP = auto()


TRANSITIONS = {
    (LinkState.CLOSED, Signal.OPEN): LinkState.GREETING,
    (LinkState.CLOSED, Signal.HANG_UP): LinkState.CLOSED,
    (LinkState.GREETING, Signal.OPEN): LinkState.GREETING,
    (LinkState.GREETING, Signal.REPLY): LinkState.READY,
    (LinkState.GREETING, Signal.REPLY_AFTER_RESTART): LinkState.RESTARTED,
    (LinkState.GREETING, Signal.REPLY_OF_OTHER_VERSION): LinkState.FOREIGN,
    (LinkState.GREETING, Signal.NO_REPLY): LinkState.LOST,
    (LinkState.GREETING, Signal.HANG_UP): LinkState.LOST,
    (LinkState.READY, Signal.OPEN): LinkState.GREETING,
    (LinkState.READY, Signal.DOUBT): LinkState.GREETING,
    (LinkState.READY, Signal.SILENCE): LinkState.LOST,
    (LinkState.READY, Signal.HANG_UP): LinkState.LOST,
    (LinkState.LOST, Signal.OPEN): LinkState.GREETING,
    (LinkState.LOST, Signal.HANG_UP): LinkState.LOST,
    (LinkState.RESTARTED, Signal.OPEN): LinkState.GREETING,
    (LinkState.RESTARTED, Signal.HANG_UP): LinkState.LOST,
    (LinkState.FOREIGN, Signal.OPEN): LinkState.GREETING,
    (LinkState.FOREIGN, Signal.HANG_UP): LinkState.LOST,
}


class LinkMisuseError(RuntimeError):
    """The link's user did something that the state does not allow: a bug, not a fault of a rig."""


def next_state(state: LinkState, signal: Signal) -> LinkState:
    """Return the state after a signal.

    Raises:
        LinkMisuseError: The signal is not allowed in this state.
    """
    try:
        return TRANSITIONS[state, signal]
    except KeyError:
        raise LinkMisuseError(f"{signal.name} is not valid in state {state.name}") from None
