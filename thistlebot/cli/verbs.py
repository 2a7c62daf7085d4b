"""The verbs of the program: the module and the summary of each, in the order of the help.

So `--help` lists them without loading any; a test compares the summaries with the verbs' own help.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from documents.plugins import Plugins


class Verb(NamedTuple):
    """A verb, or a group of verbs.

    Attributes:
        summary: Its help in one sentence.
        module: Its module; empty for a group whose verbs have rows of their own.
        function: Its function there, or a mapping of a group's verbs; by default the verb's name.
        panel: The heading of the verbs that it begins in the help.
    """

    summary: str
    module: str = ""
    function: str = ""
    panel: str = ""


_BOARD = "frontends.cli.machine.board"
_RIGS = "frontends.cli.machine.rigs"
_DEVICES = "frontends.cli.machine.devices"
_REPLAY = "thistlebot.cli.replay"

VERBS = Plugins[Verb | Callable[..., object]](
    "verbs",
    {
        "demo": Verb(
            "Solve a cube on the virtual machine, without any hardware.",
            "thistlebot.cli.demo",
            panel="Run the machine",
        ),
        "solve": Verb(
            "Scan the cube, solve it, turn it, and check that it is solved.",
            "thistlebot.cli.solve.verb",
        ),
        "serve": Verb("Start the web panel, for browsers and programs.", "frontends.cli.serve"),
        "scan": Verb("Read a cube and report how reliable the reading is.", "thistlebot.cli.scan"),
        "run": Verb("Execute the given moves.", "thistlebot.cli.run"),
        "scramble": Verb(
            "Scramble the cube in the rig; all states are equally likely.", "thistlebot.cli.run"
        ),
        "pattern": Verb(
            "Make a pattern on the cube, or list the patterns.", "thistlebot.cli.pattern"
        ),
        "stop": Verb("Stop the board at the next detent, and discard the moves.", _BOARD),
        "rig": Verb("List the rigs, write a rig file, or draw a machine.", panel="Set it up"),
        "rig list": Verb("List the rigs for --rig, each with its picture.", _RIGS, "list_"),
        "rig new": Verb("Write a commented rig file, to edit for your machine.", _RIGS),
        "rig draw": Verb("Draw the machine of a rig file, and list its parts.", _RIGS),
        "devices": Verb("List the serial ports and the cameras of this computer.", _DEVICES),
        "flash": Verb("Load the firmware onto the board.", _BOARD),
        "doctor": Verb("Check the machine, and explain how to fix problems.", _DEVICES),
        "try": Verb("Move one motor or part a little, to check it.", _BOARD, "try_part"),
        "align": Verb("Confirm that all faces are aligned after an interrupted turn.", _BOARD),
        "calibrate": Verb(
            "Measure the machine with its own camera.", "frontends.cli.calibrate.group", "VERBS"
        ),
        "history": Verb("List, show, replay and share the machine's runs.", panel="Look back"),
        "history list": Verb("List the runs, with statistics.", "thistlebot.cli.history", "list_"),
        "history show": Verb(
            "Show one run: reading, plan, moves, times, errors.", "thistlebot.cli.show"
        ),
        "history replay": Verb(
            "Read the pictures of runs again, and report differences.", _REPLAY, "replay_runs"
        ),
        "history export": Verb(
            "Pack a run into one file, for a bug report.", _REPLAY, "export_run"
        ),
        "history import": Verb("Import the runs of other computers.", _REPLAY, "import_runs"),
        "school": Verb("Learn methods, do worksheets, analyse puzzles.", panel="Learn"),
        "school learn": Verb("Explain a method step by step.", "teaching.cli.learn"),
        "school lesson": Verb("Show a worksheet, and check answers.", "teaching.cli.lesson"),
        "school explain": Verb(
            "Check stickers against the laws of the cube.", "thistlebot.cli.explain"
        ),
        "school word": Verb("Analyse a word of moves: cycles, sign, order.", "teaching.cli.word"),
        "school puzzle": Verb(
            "Analyse a puzzle, and find ways between its states.", "teaching.cli.puzzle"
        ),
        "school compare": Verb("Solve the same states by several methods.", "teaching.cli.compare"),
        "manual": Verb(
            "Print a page of the documentation, or list all pages.", "thistlebot.cli.manual"
        ),
        "tables": Verb(
            "Build, list and remove the solver's tables.",
            "frontends.cli.tables",
            "VERBS",
            "Develop",
        ),
        "bench": Verb("Run the project's benchmarks.", "benchmarks.cli.group", "VERBS"),
    },
)
"""The verbs by name; those of a group follow it. Those of plugins are the functions themselves,
with options as typer reads them.
"""

BUILT_IN = cast("Mapping[str, Verb]", VERBS.built_in)
"""The verbs of the program itself."""
EXHIBITION = "frontends.exhibition.kiosk"
"""Serves `solve --wait`; loaded by name, as the verbs of other packages are."""

_RENAMED = {
    "ports": "devices",
    "cameras": "devices",
    "devices --add": "serve --add",
    "devices --revoke": "serve --revoke",
    "rigs --rig": "rig draw",
    "rigs": "rig list",
    "init --rig": "rig new",
    "init": "rig new",
    "buzz": "try",
    "show": "history show",
    "replay": "history replay",
    "bundle": "history export",
    "import": "history import",
    **{
        name: f"school {name}"
        for name in ("explain", "learn", "lesson", "word", "puzzle", "compare")
    },
}
"""The names of version 1.x, with the option that selected another use, and the names now."""


def current_words(words: Sequence[str]) -> tuple[list[str], str]:
    """Return a command line with today's names, and a hint if it had an old one.

    A group without a verb lists what it has.
    """
    for old, new in _RENAMED.items():
        (verb, *options), named = old.split(), new.split()
        if words and words[0] == verb and {*options} <= {*words}:
            rest = [word for word in words[1:] if word not in options or word in named]
            hint = f"note      `{old}` is now `{new}`; the next version forgets the old name"
            return [*(word for word in named if word not in options), *rest], hint
    group, following = "".join(words[:1]), "".join(words[1:2])
    if f"{group} list" in BUILT_IN and following != "--help" and following[:1] in ("", "-"):
        return [group, "list", *words[1:]], ""
    return [*words], ""
