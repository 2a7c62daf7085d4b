"""Reports the stickers that a rig's cameras cannot see, before any of them looks."""

from collections.abc import Sequence

from thistlebot.reading.rig_views import require_enough_seen, unseen_text
from thistlebot.terminal.screen import Screen


def tell_unseen(unseen: Sequence[str], screen: Screen) -> None:
    """Print which stickers no camera sees.

    Args:
        unseen: Names of stickers, from `Machine.unseen_stickers`.
        screen: The screen.

    Raises:
        UsageError: The cameras see so little that every cube would be in doubt.
    """
    require_enough_seen(unseen)
    if unseen:
        screen.note(unseen_text(unseen))
