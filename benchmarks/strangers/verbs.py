"""Runs commands on defective machines, and judges the answers.

Each pair of a command and a fault is drawn at random and run separately, in its own folders. The
answer is good if the program ends within the limit with a code that the fault explains, reports the
error in one message if the code is not 0, and prints no traceback.

This module also contains the folders of one run: the initial content of all runs, and a copy of it
for each.
"""

import json
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.report import CaseOutcome, Report
from benchmarks.strangers.faults import BUNDLE, FAULTS, Launch
from cube.facelets import SOLVED_FACELETS
from cube.random_states import random_state
from documents.typed_toml import save_document
from robot.rigs.catalogue import default_rig
from robot.running.journal import JournalRecord
from thistlebot.config import Folders
from thistlebot.journal.machine_state import ProgramJournal
from thistlebot.journal.rows import Wanted
from thistlebot.journal.run_row import open_journal
from thistlebot.journal.store import Store
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

PROGRAM = (sys.executable, "-P", "-m", "thistlebot")
SHARED_BYTES = 100_000
KEPT = ("cache", "config", "state", "data")
_JOURNAL_BYTES = 1_000_000_000


def template(box: Path) -> None:
    """Fill the folders with the initial content: tables, compiled code, files of every kind."""
    for name in ("home", "work/photos", *KEPT):
        (box / name).mkdir(parents=True)
    rng = np.random.default_rng(5)
    states = [random_state(rng) for _ in range(20)]
    texts = [state.to_facelets().text for state in states]
    (box / "work/states.txt").write_text("\n".join(texts))
    colours = {"U": 250, "R": 40, "F": 90, "D": 160, "L": 200, "B": 10}
    scans = [{"rgb": [[colours[f], 255 - colours[f], 7] for f in text]} for text in texts[:4]]
    (box / "work/scans.jsonl").write_text("\n".join(map(json.dumps, scans)))
    for face in "URFDLB":
        with VirtualCamera(lambda: states[0], hand_held_viewpoint(face)) as camera:
            cv2.imwrite(str(box / f"work/photos/{face}.png"), camera.read().image)
    save_document(box / "config/rig.toml", default_rig())
    record = JournalRecord(
        steps=("R", "U2 D"),
        rig="",
        target=SOLVED_FACELETS,
        boot_id=1,
        done=0,
        accepted=0,
        next_seq=0,
    )
    folders = replace(Folders.of_platform({}), data=box / "data")
    with open_journal(folders) as journal:
        ProgramJournal(journal).begin(record)
    for arguments in (
        "tables build",
        "calibrate colours --virtual --output config/profiles/house.toml",
        "solve --virtual --seed 3 --json",
        f"bundle last --output work/{BUNDLE}",
        "solve --virtual --seed 4 --json",
    ):
        command = [*PROGRAM, *arguments.split()]
        subprocess.run(command, env=environment(box), cwd=box, check=True, capture_output=True)


def environment(box: Path) -> dict[str, str]:
    """Return the environment of a run: only the paths of its folders are ours."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    folders = {f"THISTLEBOT_{name.upper()}_DIR": str(box / name) for name in KEPT}
    return kept | folders | {"HOME": str(box / "home")}


@contextmanager
def copy_of(ready: Path) -> Iterator[Path]:
    """Return the folders of one run."""
    with tempfile.TemporaryDirectory(prefix="strange-", ignore_cleanup_errors=True) as folder:
        box = Path(folder)
        box.chmod(0o755)
        shutil.copytree(ready, box, dirs_exist_ok=True, copy_function=link)
        try:
            yield box
        finally:
            for path in (box, *box.glob("*"), *box.glob("home/*")):
                path.chmod(0o755)


def link(source: str, target: str) -> None:
    """Share a large file; copy a small one, and the journal, which is modified in place."""
    if Path(source).stat().st_size > SHARED_BYTES and Path(source).parent.name != "data":
        os.link(source, target)
    else:
        shutil.copy2(source, target)


LIMIT_S = 10.0
_UNHURRIED_S = 120.0
"""Longer than any command takes without a fault."""
READER_GONE = 141
STATE = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"

VERBS = (
    "--help",
    "--version",
    "solve --help",
    "solve --scramble 'R U F' --dry-run",
    "solve --scramble 'R U F' --dry-run --method thistlethwaite",
    f"solve --facelets {STATE} --dry-run --json --budget-ms 20",
    "solve --states states.txt --json --budget-ms 5",
    "solve --virtual --seed 3 --no-verify",
    "solve --virtual --seed 3 --json",
    "solve --photos photos --dry-run",
    "solve --wait",
    "solve --resume",
    "scan --photos photos",
    "scan --photos photos --json",
    "scan --virtual --seed 3 --profile house",
    "scan --rgb scans.jsonl --json",
    "explain " + STATE,
    "run 'R U2 F' --virtual",
    "run 'R U2 F' --dry-run",
    "run 'R U2 F'",
    "scramble --dry-run --seed 1",
    "puzzle 3x3x3 --random 3 --seed 1",
    "puzzle 3x3x3 --random 3 --seed 1 --picture out.svg",
    "learn layers --dry-run --seed 1 --picture out.html",
    "word 'R U' --with '[F, M2]' --picture out.svg",
    "learn layers --scramble 'R U' --dry-run",
    "compare --states 2 --methods layers --jobs 1",
    "ports",
    "cameras",
    "doctor",
    "doctor --virtual",
    "stop --virtual",
    "buzz U --virtual",
    "calibrate colours --virtual",
    "calibrate camera --virtual --yes",
    "tables list",
    "tables remove",
    "demo --seed 3",
    "demo --seed 3 --pictures out",
    "history",
    "history --csv",
    "show last",
    "show last --json --pictures out",
    "bundle last --output out.zip",
    "replay last",
    "pattern checkerboard --virtual --json",
    "copy --virtual --seed 3 --facelets " + STATE,
    "lesson sums --json",
    "devices",
    "init --rig cubotino",
    "rigs --pictures out",
    "align --virtual",
    "manual",
)
BUNDLE_VERBS = (
    f"import {BUNDLE}",
    f"import {BUNDLE} && show last",
    f"import {BUNDLE} && show last --json --pictures out",
    f"import {BUNDLE} && replay last",
    f"import {BUNDLE} && bundle last --output again.zip && import again.zip",
    f"import {BUNDLE} && history --json && history --plot out.svg",
    "replay --all .",
)
"""Commands for bundles from other people."""

PLANTED = "planted-code-ran"


@dataclass(frozen=True)
class VerbAnswer:
    """The end of a run: its code, None after the limit, and its output."""

    code: int | None
    output: str
    messages: str
    took_s: float


def run_verb(verb: str, launch: Launch) -> VerbAnswer:
    """Run a verb as the launch says."""
    reader, writer = os.pipe()
    if launch.output == "full":
        os.close(writer)
        writer = os.open("/dev/full", os.O_WRONLY)
    if launch.output == "gone":
        os.close(reader)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for kind, most in launch.limits.items():
            resource.setrlimit(kind, (most, most))

    limit_s, began = LIMIT_S + launch.more_s, time.monotonic()
    process = subprocess.Popen(
        [*launch.wrapper, *_command(verb)],
        cwd=launch.box / "work",
        env=launch.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if launch.output == "pipe" else writer,
        stderr=subprocess.PIPE,
        preexec_fn=limit,  # noqa: PLW1509 - this program has one thread
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        if launch.kill is not None:
            number, after_s = launch.kill
            with suppress(subprocess.TimeoutExpired):
                process.wait(after_s)
            process.send_signal(number)
        output, messages = process.communicate(timeout=limit_s - (time.monotonic() - began))
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, messages = process.communicate()
        code = None
    finally:
        os.close(writer)
        if launch.output != "gone":
            os.close(reader)
    return VerbAnswer(code, output or "", messages, time.monotonic() - began)


def _command(verb: str) -> list[str]:
    """Return the command line of a command, or of several in sequence."""
    each = [[*PROGRAM, *shlex.split(part)] for part in verb.split(" && ")]
    return each[0] if len(each) == 1 else ["sh", "-c", " && ".join(map(shlex.join, each))]


def own_runs(box: Path) -> list[object]:
    """Return the journal's runs that do not come from a bundle, with pictures."""
    store = Store(box / "data", _JOURNAL_BYTES)
    try:
        rows = store.latest(Wanted(imported=(False,)))
        return [(row, store.run(row.uid), store.pictures(row.uid)) for _, row in rows]
    finally:
        store.close()


def verdict(answer: VerbAnswer, launch: Launch, usual: int | None) -> str:
    """Return what is wrong with an answer; empty for nothing."""
    said = answer.output + answer.messages
    if answer.code is None:
        return f"hangs: no end after {LIMIT_S + launch.more_s:g} s"
    ours = answer.code >= 0  # Python itself ends with a signal that arrives before our first line
    if ours and ("Traceback" in said or "Exception ignored" in said):
        return "a traceback"
    if answer.code not in launch.codes | {usual}:
        return f"code {answer.code}, not of {{*launch.codes, usual}}"
    told = sum(line.startswith("thistlebot:") for line in answer.messages.splitlines())
    told = told or int(answer.output.startswith("good "))  # doctor's findings are its messages
    quiet = not ours or answer.code in {0, usual, READER_GONE} or launch.output == "full"
    if not quiet and told != 1 and '"error"' not in said and "Error" not in said:
        return f"code {answer.code} with {told} messages"
    if (launch.box / "work" / PLANTED).exists():
        return "ran the code that lay in the working folder"
    return "commands the terminal" if "\x1b" in said else ""


def strike(
    number: int, faults: list[str], ready: Path, usual: dict[str, VerbAnswer]
) -> CaseOutcome:
    """Draw a pair of a command and one of the faults, and run it."""
    rng = random.Random(f"pair {number}")
    verb, name = rng.choice(VERBS), rng.choice(faults)
    verb = rng.choice(BUNDLE_VERBS) if "bundle" in name else verb
    with copy_of(ready) as box:
        launch = Launch(box, environment(box))
        FAULTS[name](launch, rng)
        launch.more_s += 2 * usual[verb].took_s  # on a busy computer
        own = own_runs(box) if "bundle" in name else []
        answer = run_verb(verb, launch)
        wrong = verdict(answer, launch, usual[verb].code)
        if not wrong and own and own_runs(box) != own:
            wrong = "runs of the user are changed or gone"
    text = f"{verb}, {answer.took_s:.1f} s: {wrong}\n{answer.messages}"
    return CaseOutcome(name, 1, 0, (text,) if wrong else ())


def usual_answers(ready: Path, report: Report) -> dict[str, VerbAnswer]:
    """Run each command without a fault.

    Raises:
        RuntimeError: A command does not work even without a fault.
    """
    answers = {}
    for verb in report.track((*VERBS, *BUNDLE_VERBS), "verbs without a fault"):
        with copy_of(ready) as box:
            answer = run_verb(verb, Launch(box, environment(box), more_s=_UNHURRIED_S))
        answers[verb] = answer
        if answer.code is None or "Traceback" in answer.messages:
            raise RuntimeError(f"{verb}: code {answer.code}, {answer.took_s:.1f} s")
    return answers
