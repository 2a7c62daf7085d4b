"""A cube in a machine that handles it: movements of parts become turns, as the rig file says."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from cube.facelets import Facelets
from cube.moves import Move
from cube.orientation import Orientation, facelet_places
from cube.state import SOLVED, CubeState
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.transitions import MachineState, Stride
from robot.rigs.program import Pose
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.cubes.turned_cube import TurnedCube
from robot.virtual.machine_parts import MachineParts
from robot.virtual.part_watch import Motion, OutputWatch, ServoWatch, StepperWatch

_TOGETHER_S = 1e-6
"""Motions that overlap by less than this count as consecutive."""

Ways = frozenset[tuple[int, int]]
"""The parts that move together, and by how many places each."""


Follows = Callable[[Sequence[Move]], int]
"""How many times the cube follows a motion that makes some face turns."""


class HandledCube(TurnedCube):
    """A cube in a machine that turns layers and the whole cube.

    It observes only servo arms, rotors and outputs. Motions that overlap in time form one event.
    When it is over, the deeds with exactly these motions are executed, if the rig file allows them
    in the machine's state. If it allows none, the cube is jammed or dropped: from then on the
    machine cannot turn it: each such motion is a violation.

    The cube is put in at once if the machine rests and has power, as between two solves; else as
    soon as every servo has power and every part is at its start.

    Args:
        rig: The real machine.
        parts: The parts that its board moves.
        state: The cube.
        follows: How many times the cube follows each motion.

    Attributes:
        motions: Number of motions that the machine's actions allow.
    """

    def __init__(
        self,
        rig: ActionMachine,
        parts: MachineParts,
        state: CubeState = SOLVED,
        *,
        follows: Follows = lambda _: 1,
    ) -> None:
        super().__init__(state, rig.motors.values())
        self._rig = rig
        self._machine = rig.states
        self._held = Orientation()
        self._inside = self._looked = False
        self._follows = follows
        self.motions = 0
        self._pending: list[Motion] = []
        self._known: dict[MachineState, dict[Ways, Stride]] = {}
        self._steppers: dict[int, StepperWatch] = {}
        self._watches: dict[int, ServoWatch | OutputWatch] = {}
        for number, variable in enumerate(rig.variables.values()):
            if variable.motor is not None:
                watch = StepperWatch(number, variable, variable.motor)
                self._steppers[variable.motor.channel] = watch
            elif variable.servo is not None:
                arm = parts.servos[variable.servo]
                self._watches[number] = ServoWatch(number, variable, arm)
            elif variable.output is not None:
                self._watches[number] = OutputWatch(number, parts.outputs, variable.output)
        self._places = self._seen()

    @property
    def pose(self) -> Pose:
        """The pose of machine and cube; -1 for a part between two places."""
        return Pose(self._places, self._held)

    def stands(self, needs: Mapping[str, Sequence[str]]) -> bool:
        """Return whether every part has its required place, at rest, and the cube is there."""
        names, variables, seen = self._machine.names, self._rig.variables, self._seen()
        still = all(watch.moving_since_s is None for watch in self._watches.values())
        return (
            still
            and not self.violations
            and all(
                seen[names.index(name)] >= 0
                and variables[name].places[seen[names.index(name)]] in places
                for name, places in needs.items()
            )
        )

    @property
    def shown(self) -> Facelets:
        """The stickers, by their places in the machine."""
        letters = self.state.to_facelets().text
        return Facelets("".join(letters[facelet] for facelet in facelet_places(self._held)))

    def turn(self, channel: int, pulses: int, motion: Trapezoid, start_s: float = 0.0) -> None:
        """Move a motor from rest."""
        motor = self._motor(channel)
        lost = self._course(motor, motion).slipped_pulses
        self.slips += bool(lost)
        way = (1 if pulses > 0 else -1) * motor.direction
        ended_s = start_s + motion.duration_s
        made = self._steppers[channel].made(way * (abs(pulses) - lost), start_s, ended_s)
        self._pending += [] if made is None else [made]

    def look(self, now_s: float, motors_since_s: float | None = None) -> None:
        """Process the motions up to now."""
        seen = (watch.look(now_s) for watch in self._watches.values())
        self._pending += [motion for motion in seen if motion is not None]
        begun = [watch.moving_since_s for watch in self._watches.values()]
        under_way = [each for each in (motors_since_s, *begun) if each is not None]
        horizon_s = min(under_way, default=float("inf"))
        while self._pending:
            event = self._first_event()
            if max(motion.ended_s for motion in event) > horizon_s + _TOGETHER_S:
                break
            self._pending = [motion for motion in self._pending if motion not in event]
            self._happen(event)
        self._put_in(still=not under_way)

    def _put_in(self, *, still: bool) -> None:
        powered = not any(watch.limp for watch in self._watches.values())
        first, self._looked = not self._looked, True
        if not self._inside and still and powered:
            self._places = self._seen()
            start = self._machine.start
            self._inside = self._places == start or (
                first and self._places in self._machine.strides
            )

    def _first_event(self) -> list[Motion]:
        """Return the first motion, with all motions that overlap it directly or indirectly."""
        motions = sorted(self._pending, key=lambda motion: motion.begun_s)
        event = motions[:1]
        ended_s = event[0].ended_s
        for motion in motions[1:]:
            if motion.begun_s >= ended_s - _TOGETHER_S:
                break
            event.append(motion)
            ended_s = max(ended_s, motion.ended_s)
        return event

    def _happen(self, event: list[Motion]) -> None:
        """Apply the effect of parts that moved together to the cube."""
        if not self._inside or self.violations:
            self._places = self._seen()
            return
        ways = {motion.part: motion.way for motion in event}
        once = len(ways) == len(event)
        stride = self._stride(ways) if once else None
        ended_s = max(motion.ended_s for motion in event)
        away = self._away(ways, ended_s)
        if stride is None or away or self._releases(stride):
            text = self._text(event)
            if away:
                text += f" while {' and '.join(away)} rests between its places"
            elif stride is not None:
                text += ", without power"
            self.violations.append(text)
            self._places = self._seen()
            return
        self._places = stride.after
        self.motions += 1
        turns = [self._held.move_of(turn.place, turn.quarters) for turn in stride.turns]
        for _ in range(self._follows(turns)):
            self._follow(stride)

    def _follow(self, stride: Stride) -> None:
        for turn in stride.turns:
            move = self._held.move_of(turn.place, turn.quarters)
            self.moves.append(move)
            self.state = self.state.apply(move)
        self._held = self._held.then(stride.rotation)

    def _stride(self, ways: dict[int, int | None]) -> Stride | None:
        if self._places not in self._known:
            strides = self._machine.strides.get(self._places, ())
            self._known[self._places] = {_ways_of(stride): stride for stride in strides}
        known = frozenset((part, way) for part, way in ways.items() if way is not None)
        return self._known[self._places].get(known) if len(known) == len(ways) else None

    def _away(self, moved: Container[int], ended_s: float) -> list[str]:
        """Return the parts that rest between places while others move."""
        away = {watch.part: watch.away_since_s for watch in self._steppers.values()}
        return [
            self._machine.names[part]
            for part, since_s in away.items()
            if since_s is not None and since_s < ended_s - _TOGETHER_S and part not in moved
        ]

    def _releases(self, stride: Stride) -> bool:
        """Return whether a part that must hold during a stride has no power."""
        needed = {number for deed in stride.deeds for number, _ in deed.needs}
        return any(self._watches[number].limp for number in needed & set(self._watches))

    def _seen(self) -> MachineState:
        """Return all places; -1 for a part between two places."""
        places: dict[int, int | None] = {
            number: watch.place for number, watch in self._watches.items()
        }
        for number, variable in enumerate(self._rig.variables.values()):
            if variable.motor is not None:
                places[number] = self._steppers[variable.motor.channel].place
        ordered = (places[number] for number in range(len(places)))
        return tuple(-1 if place is None else place for place in ordered)

    def _text(self, event: Iterable[Motion]) -> str:
        names = self._machine.names
        done = [f"{names[each.part]} {_way_text(each.way)}" for each in event]
        stood = self._machine.text(self._places)
        return f"no action moves {' and '.join(done)} in the state {stood}"


def _way_text(way: int | None) -> str:
    if way is None:
        return "to rest between its places"
    return f"by {way:+d}" if way else "off its place and back"


def _ways_of(stride: Stride) -> Ways:
    return frozenset((part, way) for deed in stride.deeds for part, _, _, way in deed.change)
