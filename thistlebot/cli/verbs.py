"""The verbs of the program: which module each lives in, and what it does, in the order of the help.

So `--help` lists them without loading any; a test holds the summaries to the verbs' own help.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple


class Verb(NamedTuple):
    """Where a verb lives, and its help in one sentence."""

    module: str
    summary: str


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "demo": Verb(
            "thistlebot.cli.demo",
            "Show the whole machine at work on the virtual rig: no hardware, no questions.",
        ),
        "solve": Verb(
            "thistlebot.cli.solve.verb",
            "Scan the cube, find a short solution, turn it, and look whether it is solved.",
        ),
        "serve": Verb(
            "frontends.cli.serve",
            "Open the web panel: press solve in a browser, on this computer or another one.",
        ),
        "devices": Verb(
            "frontends.cli.devices",
            "List, add or revoke the devices that may use the panel over the network.",
        ),
        "scan": Verb("thistlebot.cli.scan", "Read a cube and say how sure the reading is."),
        "explain": Verb(
            "thistlebot.cli.explain",
            "Say which laws of the cube hold for these stickers, and what to repair.",
        ),
        "run": Verb("thistlebot.cli.run", "Turn the given moves."),
        "scramble": Verb(
            "thistlebot.cli.run", "Scramble the cube in the rig: every state is equally likely."
        ),
        "pattern": Verb(
            "thistlebot.cli.pattern",
            "Make a pattern of the cube in the rig, or list the patterns with their nets.",
        ),
        "copy": Verb(
            "thistlebot.cli.copy", "Read a second cube, and make the one in the rig look like it."
        ),
        "puzzle": Verb(
            "teaching.cli.puzzle",
            "Say what turns cannot change in a puzzle, how many states it has, and connect two of "
            "them.",
        ),
        "word": Verb(
            "teaching.cli.word",
            "Say what a word of moves does: cycles and twists of the pieces, sign, order, "
            "position.",
        ),
        "compare": Verb(
            "teaching.cli.compare",
            "Solve the same states by several methods; every answer is replayed.",
        ),
        "learn": Verb(
            "teaching.cli.learn",
            "Perform a method step by step: what each step is for, which pieces move, what it "
            "settles.",
        ),
        "lesson": Verb(
            "teaching.cli.lesson",
            "Show a worksheet on the mathematics of the cube, and check the answers to its "
            "questions.",
        ),
        "history": Verb(
            "thistlebot.cli.history",
            "List the runs of the machine, and say what its solves come to.",
        ),
        "show": Verb(
            "thistlebot.cli.show",
            "Show one run: what was seen, planned and done, how long each part took, what went "
            "wrong.",
        ),
        "replay": Verb(
            "thistlebot.cli.replay",
            "Decide runs again from their pictures, and say where this version decides otherwise.",
        ),
        "bundle": Verb(
            "thistlebot.cli.replay",
            "Put a run with its pictures into one file, to attach to a report.",
        ),
        "import": Verb(
            "thistlebot.cli.replay",
            "Take bundles of other desks into the journal, to `show` and `replay` them.",
        ),
        "rigs": Verb(
            "thistlebot.cli.machine.rigs",
            "List the rigs that come with the program, for --rig, each with its picture.",
        ),
        "init": Verb(
            "thistlebot.cli.machine.rigs",
            "Write a commented rig file of the kind that comes nearest to your machine, ready to "
            "edit.",
        ),
        "ports": Verb(
            "thistlebot.cli.machine.devices",
            "List the serial ports; the board is behind one of them.",
        ),
        "cameras": Verb("thistlebot.cli.machine.devices", "List the cameras of this computer."),
        "doctor": Verb(
            "thistlebot.cli.machine.devices",
            "Examine everything the machine needs, and say what to do about what is missing.",
        ),
        "flash": Verb(
            "thistlebot.cli.machine.board",
            "Load the firmware into the board, with arduino-cli or avrdude.",
        ),
        "buzz": Verb(
            "thistlebot.cli.machine.board",
            "Turn one motor a little, or do one action, there and back, to check wiring and "
            "direction.",
        ),
        "stop": Verb(
            "thistlebot.cli.machine.board",
            "Stop whatever the board is turning, at the next detent, and drop the rest.",
        ),
        "align": Verb(
            "thistlebot.cli.machine.board",
            "Confirm that every face is aligned after a turn was cut off.",
        ),
        "manual": Verb(
            "thistlebot.cli.manual",
            "Print a page of the documents, or list them all and where they lie.",
        ),
        "calibrate": Verb(
            "thistlebot.cli.calibrate.group",
            "Measure the machine with its own camera; writes a profile.",
        ),
        "tables": Verb("thistlebot.cli.tables", "Build, list and remove the solver's tables."),
        "bench": Verb("benchmarks.cli.group", "Measure what is claimed, on this computer."),
    }
)

EXHIBITION = "frontends.exhibition.kiosk"
"""Serves `solve --wait`; loaded by its name, as the verbs of other packages are."""
TRACKED = "tracked"
"""The value of a bare --centres: what the motors' turns add up to."""
TERMINAL = "-"
"""The value of a bare --plot of `history`."""
_WITHOUT_VALUE = {("solve", "--centres"): TRACKED, ("history", "--plot"): TERMINAL}


def completed(args: list[str]) -> Iterator[str]:
    """The arguments, with the value that a bare option stands for."""
    verb = next((arg for arg in args if not arg.startswith("-")), "")
    for arg, following in zip_longest(args, args[1:], fillvalue="--"):
        yield arg
        if (verb, arg) in _WITHOUT_VALUE and following.startswith("-") and following != TERMINAL:
            yield _WITHOUT_VALUE[verb, arg]
