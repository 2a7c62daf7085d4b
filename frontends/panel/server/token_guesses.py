"""Wrong tokens, whose answers are delayed more and more, and how many may be delayed at once."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 4.0
_MOST_ADDRESSES = 1000
_MOST_GUESSES, _MOST_GUESSES_OF_ONE = 32, 4
"""Wrong tokens that are being delayed, in all and from one address; more are refused unread."""
_MOST_ADMITTED = 10_000


class TokenGuesses:
    """Remembers who guesses, and which tokens were right."""

    def __init__(self, pause: Callable[[float], Awaitable[None]]) -> None:
        self._pause = pause
        self._wrong: dict[str, int] = {}
        self._delayed: Counter[str] = Counter()
        self._admitted: dict[int, None] = {}

    def admit(self, token: str, address: str) -> None:
        """Remember a token that was right."""
        self._wrong.pop(address, None)
        self._admitted[hash(token)] = None
        while len(self._admitted) > _MOST_ADMITTED:
            del self._admitted[next(iter(self._admitted))]

    def refuses(self, address: str, tokens: Sequence[str]) -> bool:
        """Return whether so many wrong tokens are being delayed that no new one is read."""
        many = self._delayed.total() >= _MOST_GUESSES
        flooded = many or self._delayed[address] >= _MOST_GUESSES_OF_ONE
        return flooded and not any(hash(token) in self._admitted for token in tokens)

    async def slow_down(self, address: str) -> None:
        """Wait, twice as long as after the previous wrong token from this address."""
        wrong = self._wrong.pop(address, 0) + 1
        self._wrong[address] = wrong
        while len(self._wrong) > _MOST_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        self._delayed[address] += 1
        try:
            await self._pause(min(_PAUSE_S * 2 ** min(wrong, 20), _LONGEST_PAUSE_S))
        finally:
            self._delayed[address] -= 1
            self._delayed += Counter()  # forgets those at zero
