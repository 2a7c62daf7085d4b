"""Faults strike real programs at random moments: is a cube ever wrong, and nobody says so?

    make faults                                     1000 effective faults
    python -m benchmarks.faults --faults 50 --seed 3 --json

The program is the real one, in a process of its own, behind a real pseudo-terminal. The board is
the firmware's own binary in the AVR simulator, or the virtual board. Only the solver is replaced,
so that programs of half turns, pairs, overlaps, cut corners and other actions are turned, and in
half of the cases the cameras: a perfect eye stands for them.
"""
