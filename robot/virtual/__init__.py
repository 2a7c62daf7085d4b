"""Bytes in, a turned virtual cube out: a board, its motors and its faults."""
