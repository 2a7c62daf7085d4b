"""The desk where orders arrive: it refuses late and outdated ones, and has the others carried out.

Whoever may control the machine may order; a machine that is busy says so, and with what.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from frontends.control.commands import Command
from frontends.control.routing import task_of
from frontends.control.view_model.view import ViewModel
from frontends.control.worker import MachineWorker
from thistlebot.errors import RefusedError, UsageError


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with its metadata.

    Attributes:
        id: The sender's number for it; the answer repeats it.
        sent_s: Time of the command, seconds on the server's clock as estimated by the sender.
        do: The command.
        run: The run that the sender saw; None if it does not matter.
    """

    id: int
    sent_s: float
    do: Command
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


class Desk:
    """Takes orders for one machine."""

    def __init__(
        self, worker: MachineWorker, view: Callable[[], ViewModel], now_s: Callable[[], float]
    ) -> None:
        self._worker = worker
        self._view = view
        self._now_s = now_s

    def take(self, order: Order) -> int | None:
        """Carry out an order.

        Returns:
            The number of the run that it starts; None if it starts none.

        Raises:
            RefusedError: The order is too old, its sender saw another run than the current one, or
                the machine is busy; nothing was done.
        """
        age_s = self._now_s() - order.sent_s
        if not -AHEAD_S <= age_s <= EXPIRY_S:
            raise RefusedError(
                "expired",
                f"this command arrived {age_s:.1f} s late and was ignored; try again",
            )
        if order.run is not None and order.run != self._view().run:
            raise RefusedError(
                "run", "another job has started in the meantime: check it, then try again"
            )
        task = task_of(order.do)
        if task is None or (task.quiet and self._worker.corrects):
            self._worker.tell(order.do)
            return None
        return self._worker.begin(task)

    def stop(self) -> None:
        """Stop the current job; every viewer may do this, at any time."""
        self._worker.stop()
