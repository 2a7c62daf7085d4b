"""Bytes in, bytes out: the ports of boards, and the clock for waiting."""
