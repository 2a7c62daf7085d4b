"""One watcher controls the machine, by a lease; the others watch."""

import secrets
from collections.abc import Callable

GRACE_S = 5.0
"""A controller that is gone for so long has left: a page that is reloaded is back sooner."""


class Leases:
    """Who controls the machine.

    Args:
        now_s: Tells the time, seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._lease = ""
        self._gone_s: float | None = None

    @property
    def held(self) -> bool:
        """Whether somebody controls the machine."""
        gone = self._gone_s is not None and self._now_s() - self._gone_s > GRACE_S
        return bool(self._lease) and not gone

    def holds(self, lease: str) -> bool:
        """Whether a lease is the one in force."""
        return self.held and secrets.compare_digest(lease.encode(), self._lease.encode())

    def take(self, lease: str = "") -> str:
        """Take control, if nobody has it.

        Args:
            lease: The one that the watcher had before its connection was gone, as of a page that
                was reloaded.

        Returns:
            The lease in force from now on; empty when somebody else has it.
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
        """Take note that the controller's connection is gone; it may come back."""
        if self.holds(lease):
            self._gone_s = self._now_s()
