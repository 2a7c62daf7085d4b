"""Where orders are taken or refused, before anything hears of them."""

from collections.abc import Callable

from thistlebot.control.commands import Order
from thistlebot.control.leases import Leases
from thistlebot.control.showing.view import ViewModel
from thistlebot.errors import UsageError

EXPIRY_S = 0.5
"""An order that is older is not carried out: the person has seen meanwhile that nothing happens."""
AHEAD_S = 0.25
"""A sender's idea of the server's clock may run ahead by so much."""


class RefusedError(UsageError):
    """An order is not carried out.

    Attributes:
        kind: ``expired``, ``lease``, ``run``, ``busy`` or ``usage``.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Desk:
    """Takes orders.

    Args:
        leases: Who may give them.
        view: Tells what there is to see.
        now_s: Tells the time, seconds.
    """

    def __init__(
        self, leases: Leases, view: Callable[[], ViewModel], now_s: Callable[[], float]
    ) -> None:
        self._leases = leases
        self._view = view
        self._now_s = now_s

    def require(self, order: Order) -> None:
        """Refuse what may not be carried out.

        Raises:
            RefusedError: The order is too old, its sender does not control the machine, or saw
                another run than the one under way.
        """
        age_s = self._now_s() - order.sent_s
        if not -AHEAD_S <= age_s <= EXPIRY_S:
            raise RefusedError(
                "expired",
                f"this came {age_s:.1f} s after it was given: nothing was done; try again",
            )
        if not self._leases.holds(order.lease):
            raise RefusedError("lease", "somebody else controls the machine; you are watching")
        if order.run is not None and order.run != self._view().run:
            raise RefusedError("run", "something else has begun meanwhile: look, and try again")
