"""The timers of the link: to resend, to ask for the status, and to give up."""

RESEND_AFTER_S = 0.05
LONGEST_RESEND_S = 0.4
POLL_INTERVAL_S = 0.1
"""Interval between requests for the status of a working board, in case a message was lost."""
SILENCE_S = 1.0
"""If no intact packet arrives for this long, in spite of requests, the connection is lost."""
_SILENT_POLLS = 5
"""Number of requests without an answer: a host that was suspended did not ask."""


class LinkTimers:
    """The timers of a connected link.

    Unacknowledged messages are sent again, at growing intervals (exponential back-off, as in RFC
    6298).
    """

    def __init__(self) -> None:
        self._sent_s = 0.0
        self._resend_s = RESEND_AFTER_S
        self._poll_at_s = 0.0
        self._heard_s = 0.0
        self._asked = 0

    def start(self, now_s: float) -> None:
        """Restart the timers: the board has just answered."""
        self._resend_s = RESEND_AFTER_S
        self.rest(now_s)

    def rest(self, now_s: float) -> None:
        """Note that the board had no reason to send anything until now."""
        self.hear(now_s)
        self._poll_at_s = now_s + POLL_INTERVAL_S

    def hear(self, now_s: float) -> None:
        """Note an intact message."""
        self._heard_s = now_s
        self._asked = 0

    def send(self, now_s: float) -> None:
        """Note that the oldest message in flight was sent."""
        self._sent_s = now_s

    def acknowledge(self, now_s: float) -> None:
        """Note that the board accepted messages: the next wait is a short one."""
        self._resend_s = RESEND_AFTER_S
        self._sent_s = now_s

    def silent(self, now_s: float) -> bool:
        """Return whether nothing was heard from the board for too long."""
        return now_s >= self._heard_s + SILENCE_S and self._asked >= _SILENT_POLLS

    def take_resend(self, now_s: float) -> bool:
        """Return whether to resend now; the next wait is twice as long."""
        if now_s < self._sent_s + self._resend_s:
            return False
        self._resend_s = min(2 * self._resend_s, LONGEST_RESEND_S)
        return True

    def take_poll(self, now_s: float) -> bool:
        """Return whether to ask for the status now."""
        if now_s < self._poll_at_s:
            return False
        self._poll_at_s = now_s + POLL_INTERVAL_S
        self._asked += 1
        return True

    def next_wake_s(self, *, flying: bool) -> float:
        """Return when the next timer expires; `flying`: a message waits for its acknowledgement."""
        due_s = self._poll_at_s
        if self._asked >= _SILENT_POLLS:
            due_s = min(due_s, self._heard_s + SILENCE_S)
        return min(due_s, self._sent_s + self._resend_s) if flying else due_s
