"""Bytes in, bytes out: where a board is plugged in, and the clock that waits for it."""
