"""Faults strike real programs at random moments: is a wrong cube ever left unreported?

    python -m benchmarks.campaigns --only boards --struck 1000
    python -m benchmarks.campaigns --only boards --kinds unplug --shapes pairs --struck 20

The program is the real one, in a separate process, behind a real pseudo-terminal. The board is the
firmware's own binary in the AVR simulator. Only the solver is replaced, so that there are programs
of half turns, pairs and cut corners, and the cameras, by a perfect eye.
"""
