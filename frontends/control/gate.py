"""Accepts or refuses orders before anything else sees them.

One viewer controls the machine, by a lease; the others watch.
"""

import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from frontends.control.commands import Command
from frontends.control.view_model.view import ViewModel
from thistlebot.errors import RefusedError, UsageError

GRACE_S = 5.0
"""After this time without a connection, a controller has left; a reloaded page is back sooner."""


class Leases:
    """Which viewer controls the machine.

    Args:
        now_s: Returns the time, seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._lease = ""
        self._gone_s: float | None = None

    @property
    def held(self) -> bool:
        """Whether a viewer controls the machine."""
        gone = self._gone_s is not None and self._now_s() - self._gone_s > GRACE_S
        return bool(self._lease) and not gone

    def holds(self, lease: str) -> bool:
        """Return whether a lease is the active one."""
        return self.held and secrets.compare_digest(lease.encode(), self._lease.encode())

    def take(self, lease: str = "") -> str:
        """Take control, if nobody has it.

        Args:
            lease: The viewer's lease before its connection was lost, as for a reloaded page.

        Returns:
            The active lease from now on; empty if somebody else has it.
        """
        if self.held and not (self._gone_s is not None and self.holds(lease)):
            return ""
        if not self.held:
            self._lease = secrets.token_urlsafe(16)
        self._gone_s = None
        return self._lease

    def give(self, lease: str) -> None:
        """Give control up."""
        if self.holds(lease):
            self._lease = ""

    def leave(self, lease: str) -> None:
        """Note that the controller's connection is lost; it may come back."""
        if self.holds(lease):
            self._gone_s = self._now_s()


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with its metadata.

    Attributes:
        id: The sender's number for it; the answer repeats it.
        sent_s: Time of the command, seconds on the server's clock as estimated by the sender.
        do: The command.
        lease: The sender's lease.
        run: The run that the sender saw; None if it does not matter.
    """

    id: int
    sent_s: float
    do: Command
    lease: str = ""
    run: int | None = None


def decode_order(line: bytes | str) -> Order:
    """Read an order.

    Raises:
        UsageError: It is not an order; the message says where.
    """
    order: Order = _decoded(line, Order)
    return order


def decode_command(line: bytes) -> Command:
    """Read a command.

    Raises:
        UsageError: It is not a command; the message says where.
    """
    command: Command = _decoded(line, Command)
    return command


def _decoded(line: bytes | str, kind: Any) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(
            f"not a valid command: {error}; docs/reference/panel-commands.md lists them"
        ) from None


EXPIRY_S = 0.5
"""Maximum age of an order: after this time, the user has seen that nothing happens."""
AHEAD_S = 0.25
"""Maximum lead of a sender's estimate of the server's clock."""


class Gate:
    """Takes orders.

    Args:
        leases: Which viewer may give them.
        view: Returns the view.
        now_s: Returns the time, seconds.
    """

    def __init__(
        self, leases: Leases, view: Callable[[], ViewModel], now_s: Callable[[], float]
    ) -> None:
        self._leases = leases
        self._view = view
        self._now_s = now_s

    def require(self, order: Order) -> None:
        """Refuse an order that is not allowed.

        Raises:
            RefusedError: The order is too old, its sender does not control the machine, or saw
                another run than the current one.
        """
        age_s = self._now_s() - order.sent_s
        if not -AHEAD_S <= age_s <= EXPIRY_S:
            raise RefusedError(
                "expired",
                f"this command arrived {age_s:.1f} s late and was ignored; try again",
            )
        if not self._leases.holds(order.lease):
            raise RefusedError("lease", "someone else controls the machine; you are watching")
        if order.run is not None and order.run != self._view().run:
            raise RefusedError(
                "run", "another job has started in the meantime: check it, then try again"
            )
