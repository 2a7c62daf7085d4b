"""What is minimised; by itself, so that the command line knows it without loading a solver."""

from enum import StrEnum


class Goal(StrEnum):
    """What a solution should have little of: turns in one of the metrics, or time on a rig."""

    HTM = "htm"
    QTM = "qtm"
    AXIAL = "axial"
    AXIAL_QTM = "axial-qtm"
    TIME = "time"
