"""Motors on the faces of a fixed cube, as a `Mechanism`."""

from collections.abc import Sequence

import msgspec

from cube.moves import FACES, Move, MoveSequence
from robot.errors import NotPossibleError
from robot.protocol.messages import NO_MOTOR, BoardKind, Set, StallInput
from robot.protocol.settings import Setting
from robot.rigs.face_motors import planner, scan_search
from robot.rigs.face_motors.planner import step_times
from robot.rigs.face_motors.rig_file import FaceMotorFile
from robot.rigs.mechanism import Buzz, ScanProgram, Sight, StepTimes, TurnTimes
from robot.rigs.parts import Part
from robot.rigs.program import Actuator, CubeTurn, Pose, RigProgram, motor_remedy

_STALL_INPUTS = {False: StallInput.NONE, True: StallInput.SHARED, "each": StallInput.EACH}
_ONE_STALL_LINE = {
    BoardKind.UNO: "an Uno",
    BoardKind.NANO: "a Nano",
    BoardKind.CNC_SHIELD: "a CNC Shield",
    BoardKind.RAMPS: "RAMPS",
    BoardKind.MKS_GEN_L: "an MKS GEN L",
}


class FaceMotors(FaceMotorFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A machine of motors on faces; `robot.rigs.mechanism.Mechanism` documents the methods."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """One shaft for each face with a motor."""
        return tuple(
            Part(face, f"motors.{face}.channel", "motor", motor.channel, "shaft", face)
            for face, motor in self.motors.items()
        )

    @property
    def faces(self) -> str:
        """The faces with a motor."""
        return "".join(self.motors)

    @property
    def turn_times(self) -> TurnTimes:
        """Return the times of turns; a face without a motor gets the time of the slowest one."""
        slowest = max(self.motors, key=lambda face: self.turn_time_s(face, 1))
        faces = [face if face in self.motors else slowest for face in FACES]
        return TurnTimes(
            tuple(1000 * self.turn_time_s(face, 1) for face in faces),
            tuple(1000 * self.turn_time_s(face, 2) for face in faces),
            self.gap_us / 1000,
        )

    @property
    def transitions_differ(self) -> bool:
        """Whether turns overlap, or opposite faces turn one after the other."""
        return bool(self.corners.widest_deg) or not self.parallel

    def step_times(self, lanes: int | None = None) -> StepTimes:
        """Return the times that a plan adds up: transitions, and half turns in both directions."""
        return step_times(self, lanes)

    @property
    def fingerprint(self) -> str:
        """Channel, steps and direction of each face's motor, and how half turns are made."""
        motors: dict[str, object] = {
            face: (motor.channel, motor.steps_per_quarter, motor.direction)
            for face, motor in sorted(self.motors.items())
        }
        if self.corners.widest_deg:
            motors["corners"] = msgspec.structs.astuple(self.corners)
        return msgspec.json.encode(motors).decode()

    def plan(
        self,
        sequence: MoveSequence,
        lanes: int | None = None,
        start: Pose | None = None,  # noqa: ARG002 - between two turns it stands in one way only
    ) -> RigProgram:
        """Schedule moves."""
        return planner.plan(self, sequence, lanes)

    plan_steps = planner.plan_steps

    def plan_scan(
        self,
        sights: Sequence[Sight],
        wanted: frozenset[int],
        start: Pose | None = None,  # noqa: ARG002 - between two turns it stands in one way only
        lanes: int | None = None,
        spare_faces: int = 0,
    ) -> ScanProgram:
        """Return looks, and turns that bring hidden facelets into sight."""
        return scan_search.plan_scan(self, sights, wanted, lanes, spare_faces)

    def cube_turns(self, program: RigProgram) -> tuple[CubeTurn, ...]:
        """Return the turns of the faces."""
        by_channel = {motor.channel: (face, motor) for face, motor in self.motors.items()}
        found = []
        for number, step in enumerate(program.steps):
            for turn in step.turns:
                face, motor = by_channel[turn.channel]
                made_by = Actuator(f"motor {face}", motor_remedy(f"motors.{face}", motor))
                does = str(Move(face, turn.value % 4))
                turns = ((face, turn.value),)
                found.append(CubeTurn(number, does, (made_by,), turns))
        return tuple(found)

    def settings(self, kind: BoardKind = BoardKind.VIRTUAL) -> list[Set]:
        """Return the settings of its board."""
        if self.stall_input == "each" and kind in _ONE_STALL_LINE:
            raise NotPossibleError(
                f"{_ONE_STALL_LINE[kind]} has one stall input for all motors: connect the "
                "drivers' outputs to it together and set stall_input = true in the rig file, "
                "or use a Mega"
            )
        board = {Setting.GAP_US: self.gap_us, Setting.STALL_INPUT: _STALL_INPUTS[self.stall_input]}
        found = super().settings(kind)
        return found + [Set(key, NO_MOTOR, value) for key, value in board.items()]

    def buzz(self, motor: str, angle_deg: float) -> Buzz:
        """Return a small turn of one face there and back."""
        found = self.motor(motor)
        moves = (MoveSequence((Move(motor, quarters),)) for quarters in (1, 3))
        return Buzz(found.channel, found.buzz_settings(angle_deg), self.plan_steps(moves))
