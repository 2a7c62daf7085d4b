"""The verbs of the program: the module and the summary of each, in the order of the help.

So `--help` lists them without loading any; a test compares the summaries with the verbs' own help.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from documents.plugins import Plugins


class Verb(NamedTuple):
    """A verb.

    Attributes:
        module: Its module.
        summary: Its help in one sentence.
        function: Its function there, or a mapping of a group's verbs; by default the verb's name.
    """

    module: str
    summary: str
    function: str = ""


VERBS = Plugins[Verb | Callable[..., object]](
    "verbs",
    {
        "demo": Verb(
            "thistlebot.cli.demo",
            "Run a complete solve on the virtual rig, without hardware or questions.",
        ),
        "solve": Verb(
            "thistlebot.cli.solve.verb",
            "Scan the cube, find a short solution, turn it, and check that the cube is solved.",
        ),
        "serve": Verb(
            "frontends.cli.serve",
            "Start the web panel, and run the machine from a browser on this or another computer.",
        ),
        "devices": Verb(
            "frontends.cli.devices",
            "List, add or revoke devices that may use the panel over the network.",
        ),
        "scan": Verb("thistlebot.cli.scan", "Read a cube and report how reliable the reading is."),
        "explain": Verb(
            "thistlebot.cli.explain",
            "Check stickers against the laws of the cube, and suggest repairs.",
        ),
        "run": Verb("thistlebot.cli.run", "Execute the given moves."),
        "scramble": Verb(
            "thistlebot.cli.run", "Scramble the cube in the rig; all states are equally likely."
        ),
        "pattern": Verb(
            "thistlebot.cli.pattern",
            "Make a pattern on the cube in the rig, or list the patterns with their nets.",
        ),
        "puzzle": Verb(
            "teaching.cli.puzzle",
            "Analyse a puzzle: its invariants, its number of states, and a path between two "
            "of them.",
        ),
        "word": Verb(
            "teaching.cli.word",
            "Analyse a word of moves: cycles and twists of the pieces, sign, order, position.",
        ),
        "compare": Verb(
            "teaching.cli.compare",
            "Solve the same states by several methods, and replay every answer to check it.",
        ),
        "learn": Verb(
            "teaching.cli.learn",
            "Explain a method step by step: the purpose of each step, the pieces it moves "
            "and solves.",
        ),
        "lesson": Verb(
            "teaching.cli.lesson",
            "Show a worksheet on the mathematics of the cube, and check answers to its questions.",
        ),
        "history": Verb(
            "thistlebot.cli.history",
            "List the machine's runs, with statistics of its solves.",
        ),
        "show": Verb(
            "thistlebot.cli.show",
            "Show one run: what the cameras saw, the plan, the moves, the timing, and any errors.",
        ),
        "replay": Verb(
            "thistlebot.cli.replay",
            "Read pictures of runs again, and report where this version reads differently.",
            "replay_runs",
        ),
        "bundle": Verb(
            "thistlebot.cli.replay",
            "Pack a run and its pictures into one file, to attach to a bug report.",
        ),
        "import": Verb(
            "thistlebot.cli.replay",
            "Import bundles from other computers into the journal, for `show` and `replay`.",
            "import_runs",
        ),
        "rigs": Verb(
            "frontends.cli.machine.rigs",
            "List the rigs for --rig, each with its picture.",
        ),
        "init": Verb(
            "frontends.cli.machine.rigs",
            "Write a commented rig file, based on the built-in rig closest to your machine.",
        ),
        "ports": Verb(
            "frontends.cli.machine.devices",
            "List the serial ports; the board is on one of them.",
        ),
        "cameras": Verb("frontends.cli.machine.devices", "List the cameras of this computer."),
        "doctor": Verb(
            "frontends.cli.machine.devices",
            "Check everything the machine needs, and explain how to fix problems.",
        ),
        "flash": Verb(
            "frontends.cli.machine.board",
            "Load the firmware onto the board, with arduino-cli or avrdude.",
        ),
        "buzz": Verb(
            "frontends.cli.machine.board",
            "Turn one motor a little, or run one action, there and back, to check wiring and "
            "direction.",
            "buzz_part",
        ),
        "stop": Verb(
            "frontends.cli.machine.board",
            "Stop the board at the next detent, and discard the remaining moves.",
        ),
        "align": Verb(
            "frontends.cli.machine.board",
            "Confirm that all faces are aligned after an interrupted turn.",
        ),
        "manual": Verb(
            "thistlebot.cli.manual",
            "Print a page of the documentation, or list all pages and their files.",
        ),
        "calibrate": Verb(
            "frontends.cli.calibrate.group",
            "Measure the machine with its own camera, and write the results to files.",
            "VERBS",
        ),
        "tables": Verb(
            "frontends.cli.tables", "Build, list and remove the solver's tables.", "VERBS"
        ),
        "bench": Verb(
            "benchmarks.cli.group", "Run the project's benchmarks on this computer.", "VERBS"
        ),
    },
)
"""The verbs by name; those of plugins are the functions themselves, with options as typer reads
them.
"""

BUILT_IN = cast("Mapping[str, Verb]", VERBS.built_in)
"""The verbs of the program itself."""
EXHIBITION = "frontends.exhibition.kiosk"
"""Serves `solve --wait`; loaded by name, as the verbs of other packages are."""
