"""Bytes in, a turned virtual cube out: a virtual board, its motors and its faults."""
