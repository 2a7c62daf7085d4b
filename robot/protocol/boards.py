"""What a host has to know of a board besides what the board says of itself."""

from robot.protocol.messages import BoardKind

STEP_LANES = {
    BoardKind.UNO: 2,
    BoardKind.NANO: 2,
    BoardKind.MEGA: 4,
    BoardKind.CNC_SHIELD: 2,
    BoardKind.RAMPS: 4,
    BoardKind.MKS_GEN_L: 4,
    BoardKind.VIRTUAL: 2,
    BoardKind.HOST: 2,
}
"""How many motors turn at once: the 16 bit timers' compare units that the firmware uses."""
