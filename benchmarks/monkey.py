"""A monkey at one machine: random commands, signals, faults and presses, and an independent eye.

    python -m benchmarks.campaigns --only monkey --minutes 30 --seed 1
    python -m benchmarks.campaigns --case monkey:1000007                  one life again

A life is one board with one cube, one journal and one disk, and thirty errands, one after another.
During an errand, up to two events happen; their effects (a pressed emergency stop, an unplugged
cable, another clock) may persist. From time to time a person restores everything and confirms that
faces are aligned; then the machine must solve the cube as if nothing had happened. The eye counts
what the motors really turned.

The grounds, the cable and the program are those of `benchmarks.faults`.
"""

import itertools
import json
import random
import re
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.faults.case import SHAPES, FaultCase, draw_case
from benchmarks.faults.ground import FirmwareGround, Ground, Truth
from benchmarks.faults.host import HostProgram, ProgramEnd, devices
from benchmarks.faults.play import BUGS, DETENTS, DOUBT, at_rest
from benchmarks.faults.relay import Relay
from benchmarks.faults.virtual_ground import VirtualGround
from cube.moves import ALL_MOVES, FACES, MoveSequence
from cube.patterns import PATTERNS
from cube.state import SOLVED, CubeState
from thistlebot.exit_codes import ExitCode

ERRANDS = 30
"""In one life."""
_SETTLES_S = 0.3
"""Time after which a plugged-in board, or one with a released stop, is found and ready."""
_MOMENT_S = 0.9
"""Time after its start by which most errands have begun to turn, and many have ended."""
SIX_FACES = tuple(shape for shape in SHAPES if shape != "actions")
"""Shapes of programs whose rigs turn all faces."""
_CLAIM_NOTHING = frozenset({"stop", "stop --release", "align"})
_RESUMED = re.compile(r"^resuming ([URFDLB2'\s]+)$", re.MULTILINE)
_STAGES = ("--method", "thistlethwaite")

Claim = Callable[[CubeState, str], CubeState]
"""The cube after an errand that ended with code 0: from the cube before, and the output."""


def _nothing(before: CubeState, _: str) -> CubeState:
    return before


@dataclass(frozen=True, slots=True)
class Errand:
    """A command with its options.

    Attributes:
        name: The command.
        arguments: Its command line, without rig and port.
        claim: What code 0 claims about the cube.
        devices: Whether it takes a rig and a port.
    """

    name: str
    arguments: tuple[str, ...]
    claim: Claim = _nothing
    devices: bool = True


def _made(moves: MoveSequence) -> Claim:
    return lambda before, _: before.apply(moves)


def _printed(before: CubeState, text: str) -> CubeState:
    record = next(line for line in reversed(text.splitlines()) if line.startswith("{"))
    return before.apply(MoveSequence.parse(json.loads(record)["moves"]))


ALIGN = Errand("align", ("align", "--aligned"))
SOLVE = Errand("solve", ("solve", *_STAGES), lambda *_: SOLVED)


def draw_errand(rng: random.Random) -> Errand:
    """Draw a command of a person."""
    pattern = rng.choice(PATTERNS)
    moves = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(12))
    return rng.choice(
        (
            SOLVE,
            Errand("solve --no-verify", ("solve", "--no-verify", *_STAGES), lambda *_: SOLVED),
            Errand(
                "solve --to", ("solve", "--to", pattern.name, *_STAGES), lambda *_: pattern.state
            ),
            Errand("pattern", ("pattern", pattern.name), lambda *_: pattern.state),
            Errand("run", ("run", str(moves)), _made(moves)),
            Errand("run", ("run", str(moves)), _made(moves)),
            Errand("scramble", ("scramble", "--seed", str(rng.randrange(999)), "--json"), _printed),
            Errand("buzz", ("buzz", rng.choice(FACES))),
            Errand("stop", ("stop",)),
            Errand("stop --release", ("stop", "--release")),
            Errand("solve --resume", ("solve", "--resume")),
            Errand("solve --resume", ("solve", "--resume", "--no-verify")),
            Errand("history", ("history",), devices=False),
            Errand("show", ("show",), devices=False),
        )
    )


class Life:
    """One machine, with its events.

    Args:
        number: Determines everything but the computer's speed.
        ground: The board with its cube.
        relay: The cable.
        folder: Folder of the programs' files.
        case: Gives the initial rig and cube.
        tell: Called with each step.

    Attributes:
        wrong: The errors, in words.
        ends: How often each errand ended with each code.
        struck: How often each event happened.
    """

    def __init__(
        self,
        number: int,
        ground: Ground,
        relay: Relay,
        folder: Path,
        case: FaultCase,
        *,
        tell: Callable[[str], None],
    ) -> None:
        self._rng = random.Random(f"life {number}")
        self._ground, self._relay, self._folder, self._tell = ground, relay, folder, tell
        self._options = devices(case.rig, relay.link, folder)
        self._patience_s = case.rig.host_timeout_ms / 1000
        self._clock_s = 0.0
        self._outputs = itertools.count()
        self._besides: list[Sequence[Claim]] = []
        self._starts: list[CubeState] = []
        self._estop = self._unplugged = False
        self.wrong: list[str] = []
        self.ends = Counter[tuple[str, int]]()
        self.struck = Counter[str]()
        ground.begin(case)

    def live(self) -> None:
        """Run all the errands, and have the cube solved at the end."""
        for _ in range(ERRANDS):
            if self._rng.random() < 0.25:
                self.tidy()
            errand = draw_errand(self._rng)
            troubles = self._rng.choice((0, 1, 1, 2))
            self._run(errand, self._rng.sample(sorted(TROUBLES), troubles))
        self.tidy()

    def tidy(self) -> None:
        """Restore everything, like a person; then nothing prevents the machine from solving."""
        for needed in ("release e-stop", "plug", "quiet line"):
            TROUBLES[needed](self, None)
        time.sleep(_SETTLES_S)
        for errand in (ALIGN, SOLVE):
            if not at_rest(self._ground).aligned:
                self._ground.straighten()
            said = self._run(errand, ())
            if said.code != ExitCode.DONE:
                self._complain(f"{errand.name} ends with {said.code} though all is in order", said)
        self._starts.clear()  # nothing is left to resume

    def press(self, text: str) -> None:
        """Send a command to the board."""
        self._ground.command(text)
        if text.startswith("estop"):
            self._estop = text == "estop 1"

    def cable(self, *, on: bool) -> None:
        """Plug the cable in or unplug it."""
        (self._relay.plug if on else self._relay.unplug)()
        self._unplugged = not on

    def noise(self, share: float) -> None:
        """Damage this share of the bytes."""
        self._relay.noise(share, self._rng.randrange(10**6))

    def step_clock(self) -> None:
        """Change the clock for programs that start from now on."""
        self._clock_s += self._rng.choice((-3e8, -3600.0, -5.0, 5.0, 3600.0, 3e8))

    def nap(self, program: HostProgram | None) -> None:
        """Suspend the program for a while, as on a busy computer."""
        if program is not None:
            program.signal(signal.SIGSTOP)
            time.sleep(self._rng.uniform(0.0, min(1.5 * self._patience_s, 2.0)))
            program.signal(signal.SIGCONT)

    def beside(self, errand: Errand, stopped: Sequence[Claim] = (_nothing,)) -> None:
        """Run a second program beside the first one.

        Args:
            errand: What it does.
            stopped: What it may have done if it does not end with code 0: the first may stop it.
        """
        said = self._start(errand).wait()
        self.ends[f"beside: {errand.name}", said.code] += 1
        if said.code in BUGS or "Traceback" in said.text:
            self._complain(f"{errand.name} beside another program ended by a bug", said)
        self._besides.append((errand.claim,) if said.code == ExitCode.DONE else stopped)

    def _start(self, errand: Errand) -> HostProgram:
        options = self._options if errand.devices else ()
        return HostProgram(
            errand.name,
            [*errand.arguments, *options],
            self._ground,
            self._folder,
            clock_s=self._clock_s,
            output=f"output-{next(self._outputs)}",
        )

    def _run(self, errand: Errand, troubles: Sequence[str]) -> ProgramEnd:
        before = at_rest(self._ground)
        pressed, off = self._estop, self._unplugged
        self._tell(f"{errand.name:<18} {', '.join(troubles)}")
        self._besides = []
        program = self._start(errand)
        for trouble in troubles:
            time.sleep(self._rng.uniform(0.0, _MOMENT_S))
            self.struck[trouble] += not program.ended
            TROUBLES[trouble](self, program)
        said = program.wait()
        after = at_rest(self._ground)
        self._starts.append(before.state)
        self.ends[errand.name, said.code] += 1
        for text in self.judge(errand, said, before, after):
            self._complain(
                f"{errand.name} ({', '.join(troubles) or 'nothing happens'}): {text}", said
            )
        turned = after.amount != before.amount
        if turned and pressed and "release e-stop" not in troubles:
            self._complain(f"{errand.name} turned though the emergency stop was pressed", said)
        if turned and off and "plug" not in troubles:
            self._complain(f"{errand.name} turned though the cable was off", said)
        return said

    def judge(self, errand: Errand, said: ProgramEnd, before: Truth, after: Truth) -> list[str]:
        """Return the errors in the claims of an errand; empty if they are all true."""
        text = " ".join(said.text.split())
        if not before.aligned and after.amount != before.amount:
            return ["turned, though faces stood between detents"]
        if said.killed:
            return []
        found = []
        # A signal may arrive before our first line, and ends Python then.
        by_signal = said.code < 0 and (bool(text) or after.amount != before.amount)
        if said.code in BUGS or by_signal or "Traceback" in text:
            found.append(f"ended by a bug, code {said.code}")
        if said.code == ExitCode.DONE:
            found += self._claims(errand, said, before, after)
        if before.aligned and not after.aligned and not DOUBT.search(text) and errand.devices:
            found.append("faces stand between detents, and nobody says so")
        if not after.aligned and errand.devices and DETENTS.search(text):
            found.append("faces stand between detents, and are said to stand at them")
        if not after.held:
            found.append("the cube was let go")
        return found

    def _claims(self, errand: Errand, said: ProgramEnd, before: Truth, after: Truth) -> list[str]:
        """Return what is wrong with a claim of success."""
        found = []
        if errand.name == "solve --resume":
            (steps,) = _RESUMED.findall(said.text)
            moves = MoveSequence.parse(" ".join(steps.split()))
            possible = {start.apply(moves) for start in self._starts}
            possible |= {SOLVED, *(pattern.state for pattern in PATTERNS)}  # looked at, and solved
        else:  # other programs may have turned before or after it
            possible = set()
            for at in range(len(self._besides) + 1):
                there = {before.state}
                for claims in (*self._besides[:at], (errand.claim,), *self._besides[at:]):
                    there = {claim(state, said.text) for claim in claims for state in there}
                possible |= there
        if after.state not in possible:
            found.append("claims a cube that is not there")
        if not after.aligned and errand.devices and errand.name not in _CLAIM_NOTHING:
            found.append("claims success, and faces stand between detents")
        return found

    def _complain(self, text: str, said: ProgramEnd) -> None:
        self.wrong.append(text)
        self._tell(f"WRONG: {text}\n  code {said.code}: {said.text}")


def _send(number: int) -> Callable[[Life, HostProgram | None], None]:
    return lambda _, program: None if program is None else program.signal(number)


def _second_run(life: Life, _: HostProgram | None) -> None:
    moves = MoveSequence.parse("R U2")
    stopped = [_made(MoveSequence.of([*moves][:count])) for count in range(len(moves) + 1)]
    life.beside(Errand("run", ("run", str(moves)), _made(moves)), stopped)


TROUBLES: dict[str, Callable[[Life, HostProgram | None], None]] = {
    "Ctrl-C": _send(signal.SIGINT),
    "SIGTERM": _send(signal.SIGTERM),
    "SIGHUP": _send(signal.SIGHUP),
    "kill": _send(signal.SIGKILL),
    "nap": lambda life, program: life.nap(program),
    "reset": lambda life, _: life.press("reset"),
    "press e-stop": lambda life, _: life.press("estop 1"),
    "release e-stop": lambda life, _: life.press("estop 0"),
    "button": lambda life, _: life.press("button press"),
    "unplug": lambda life, _: life.cable(on=False),
    "plug": lambda life, _: life.cable(on=True),
    "noise": lambda life, _: life.noise(0.003),
    "quiet line": lambda life, _: life.noise(0.0),
    "clock": lambda life, _: life.step_clock(),
    "second run": _second_run,
    "second stop": lambda life, _: life.beside(Errand("stop", ("stop",))),
}
"""Events during an errand, or their repair."""


def play(number: int, tell: Callable[[str], None], *, firmware: bool, cache: Path) -> Life:
    """Run one life to its end.

    Args:
        number: Number of the life.
        tell: Called with each step.
        firmware: Whether it runs on the firmware's own binary instead of the virtual board.
        cache: A folder of tables shared by all lives.
    """
    shape = random.Random(f"shape of {number}").choice(SIX_FACES)
    case = draw_case(number, "monkey", shapes=shape, firmware=firmware)
    with tempfile.TemporaryDirectory(prefix="monkey-") as name:
        folder = Path(name)
        (folder / "cache").symlink_to(cache)
        ground = FirmwareGround(folder, case.board) if firmware else VirtualGround()
        relay = Relay(folder / "port", ground.device)
        try:
            life = Life(number, ground, relay, folder, case, tell=tell)
            life.live()
        finally:
            relay.close()
            ground.close()
    return life
