"""Measures the duration of readings."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import ParamSpec, TypeVar

from vision.pocket.decoding import PocketReading
from vision.reading import CubeReading

Parameters = ParamSpec("Parameters")
Reading = TypeVar("Reading", CubeReading, PocketReading)


def timed(read: Callable[Parameters, Reading]) -> Callable[Parameters, Reading]:
    """Return the same function, with the duration in its readings."""

    def measured(*args: Parameters.args, **options: Parameters.kwargs) -> Reading:
        started = time.perf_counter()
        reading = read(*args, **options)
        return replace(reading, elapsed_ms=(time.perf_counter() - started) * 1e3)

    return measured
