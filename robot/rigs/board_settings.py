"""What a rig's board has to be told before it turns anything."""

from robot.errors import NotPossibleError
from robot.protocol.messages import NO_MOTOR, BoardKind, Set, StallInput
from robot.protocol.settings import Setting
from robot.rigs.rig import Rig

_STALL_INPUTS = {False: StallInput.NONE, True: StallInput.SHARED, "each": StallInput.EACH}
_ONE_STALL_LINE = {BoardKind.UNO: "an Uno", BoardKind.NANO: "a Nano"}


def rig_settings(rig: Rig, motors: int, kind: BoardKind = BoardKind.VIRTUAL) -> list[Set]:
    """Turn a rig's description into the settings of its board.

    Args:
        rig: The rig.
        motors: Channels that the board drives.
        kind: Which board it is.

    Raises:
        NotPossibleError: The rig uses a channel, or stall inputs, that the board does not have.
    """
    if rig.stall_input == "each" and kind in _ONE_STALL_LINE:
        raise NotPossibleError(
            f"{_ONE_STALL_LINE[kind]} has one stall input for all motors: join the drivers' "
            "outputs on it and set stall_input = true in the rig file, or use a Mega"
        )
    found = []
    for face, motor in rig.motors.items():
        if motor.channel >= motors:
            raise NotPossibleError(
                f"the board drives {motors} motors, but motors.{face}.channel is {motor.channel}: "
                "correct the rig file, or use a board with more outputs"
            )
        values = {
            Setting.STEPS_PER_QUARTER: motor.steps_per_quarter,
            Setting.RATE_STEPS_S: motor.rate_steps_s,
            Setting.ACCELERATION_STEPS_S2: motor.acceleration_steps_s2,
            Setting.DIRECTION: int(motor.direction < 0),
        }
        found += [Set(key, motor.channel, value) for key, value in values.items()]
    board = {
        Setting.GAP_US: rig.gap_us,
        Setting.HOST_TIMEOUT_MS: rig.host_timeout_ms,
        Setting.IDLE_TIMEOUT_MS: rig.idle_timeout_ms,
        Setting.ENABLE_POLARITY: int(rig.enable_active == "high"),
        Setting.STALL_INPUT: _STALL_INPUTS[rig.stall_input],
    }
    return found + [Set(key, NO_MOTOR, value) for key, value in board.items()]
