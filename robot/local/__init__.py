"""Boards without a microcontroller: the computer's own outputs move servos, in real time."""
