"""A board: with ``--port practice:three``, commands reach a simulated board of the rig `three`."""

from robot.ports.port import Port
from robot.rigs.catalogue import named_rig
from robot.virtual.virtual_rig import VirtualRig


def practice_board(address: str, baud: int) -> Port:
    """Open a board to practise with; it takes as long as a real one.

    Args:
        address: What stands after ``practice:``, here a rig's name; empty for `six`.
        baud: Speed of the line; not needed here.
    """
    del baud
    return VirtualRig(named_rig(address or "six"))
