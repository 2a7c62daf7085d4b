"""Reads mutated files of every kind in this process: rigs, views, profiles, bundles, journals.

A case is wrong if the reader raises an error that is not a `ThistlebotError`, needs more than
300 MB or a minute, or changes a file of somebody else. In some cases, a command
reads it.
"""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import stat
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

import cv2

from benchmarks.report import CaseOutcome
from benchmarks.strangers.faults import BUNDLE, Launch, damaged, hostile_bundle
from benchmarks.strangers.verbs import environment, run_verb, verdict
from calibration.pair_scores import pair_scores
from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from cube.state import SOLVED
from documents.typed_toml import document_text, load_document
from robot.rigs.catalogue import NAMES, default_rig_text, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from thistlebot.config import Folders, load_rig, load_view
from thistlebot.journal.bundle import bundle_name, read_bundle, write_bundle
from thistlebot.journal.database_file import FILE
from thistlebot.journal.journal import Journal
from thistlebot.journal.machine_state import ProgramJournal
from thistlebot.journal.one_run import bundle_of, one_run, overview_of, solving_rows, steps_of
from thistlebot.journal.past_runs import past_runs
from thistlebot.journal.rows import StoredRun
from thistlebot.journal.run_record import events_of
from thistlebot.journal.run_row import row_of
from thistlebot.journal.statistics import cstimer_csv
from thistlebot.journal.store import Store
from thistlebot.journal.tail import Keep, Tail, encode
from thistlebot.reading.scan_file import read_scan
from thistlebot.session.replay import replay
from vision.cameras.photo_camera import read_photo
from vision.colours.profile import ColourProfile
from vision.virtual.viewpoints import default_views, hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

MOST_MB = 300
LIMIT_S = 60
_LIMIT_BYTES = 10**9
_DEVICES = {"/dev/zero": 5, "/dev/urandom": 9, "/dev/null": 3}
"""Minor numbers of devices."""
_MOST_BYTES = 3_000_000
"""Larger files have a length, but no content; see `_put`."""
_NUMBER = re.compile(rb"-?\b\d+(?:\.\d+)?(?:e-?\d+)?\b")
_TEXT = re.compile(rb'"[^"\n]*"')
_NUMBERS = (
    *(b"0", b"-1", b"1e308", b"-1e308", b"1e-320", b"inf", b"-inf", b"nan", b"9" * 400),
    *(b"%d" % 2**63, b"%d" % -(2**63), b"%d" % 2**64, b"%d" % 2**31, b"9" * 5000, b"1e999"),
    *(b"65536", b"-32769", b"0.5", b"true", b'"7"', b"[]", b"{}", b"1979-05-27T07:32:00Z"),
)
_TEXTS = (
    *(b'""', b'"\x1b]0;mine\x07"', '"\u202e\u2066"'.encode(), b'"a\x00b"', b'"\\u0000"', b"7"),
    *(b'"\xff"', b'"' + b"x" * 100_000 + b'"', b'"../../etc/passwd"', b'"/dev/zero"', b"[]"),
    *(b'"\\ud800"', b"{}", b"[" * 5000, b"[" * 5000 + b"]" * 5000, b"null", b'"\xf0\x9f\xa4\x96"'),
)
_BETWEEN = (b"\0", b"\x1b[2J", "\u202e".encode(), b"\xff", b"\r", b"=", b"]]", b'"""', b"[a]\n")


class FileCases:
    """The cases of mutated files.

    Args:
        folder: Where they are written.
        commands: Share of the cases that run a command.
    """

    def __init__(self, folder: Path, commands: float) -> None:
        self._folder = folder
        self._commands = commands
        (folder / "work").mkdir()
        for verb in (
            "calibrate colours --virtual --output profile.toml",
            "solve --virtual --seed 3 --json",
            f"bundle last --output {BUNDLE}",
        ):
            answer = run_verb(verb, Launch(folder, _environment(folder), more_s=10 * LIMIT_S))
            assert answer.code == 0, answer.messages
        with VirtualCamera(lambda: SOLVED, hand_held_viewpoint("U")) as camera:
            _, photo = cv2.imencode(".png", camera.read().image)
        scan = {"rgb": [[200, 40 * (place // 9), 7] for place in range(54)]}
        self._texts = {
            "rig": [default_rig_text().encode(), *(rig_text(name).encode() for name in NAMES)],
            "profile": [(folder / "work/profile.toml").read_bytes()],
            "view": [document_text(view).encode() for view in default_views()],
            "scan": [json.dumps(scan).encode()],
            "photo": [photo.tobytes()],
        }
        self._bundle = _small_bundle(folder / "work" / BUNDLE, folder)

    def play(self, number: int) -> CaseOutcome:
        """Mutate a file, and read it."""
        rng = random.Random(f"file {number}")
        kind = rng.choice((*self._texts, "bundle", "bundle", "journal", "journal", "foreign"))
        box = self._folder / str(number)
        (box / "work").mkdir(parents=True)
        wrong = ""
        try:
            if rng.random() < self._commands:
                wrong = self._command(kind, box, rng)
            else:
                wrong = self._read(kind, box, rng)
        finally:
            shutil.rmtree(box, ignore_errors=True)
        return CaseOutcome(kind, 1, 0, (wrong,) if wrong else ())

    def _read(self, kind: str, box: Path, rng: random.Random) -> str:
        read = self._prepared(kind, box, rng)
        others = box if kind == "foreign" else box / "work"
        before = _contents(others)
        peak = _Peak()
        try:
            with _limited(LIMIT_S):
                read()
        except ThistlebotError as error:
            if not str(error):
                return "an error without a text"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return "".join(traceback.format_exception(error))
        if (grown := peak.grown_mb()) > MOST_MB:
            return f"needed {grown:.0f} MB"
        return "" if before <= _contents(others) else "a file is changed"

    def _prepared(self, kind: str, box: Path, rng: random.Random) -> Callable[[], object]:
        """Write the files of a case, and return what reads them."""
        if kind == "journal":
            _write_journal(box / "data", self._bundle, rng)
            return lambda: _read_journal(box / "data", rng)
        if kind == "foreign":
            _write_foreign(box / "data", rng)
            return lambda: _read_journal(box / "data", rng)
        if kind == "bundle":
            file = box / "work" / BUNDLE
            shutil.copy(self._bundle, file)
            if rng.random() < 0.7:
                hostile_bundle(Launch(box, {}), rng)
            else:
                _put(file, file.read_bytes(), rng)
            return lambda: _import(file, box / "data", rng)
        file = box / "work" / {"photo": "U.png"}.get(kind, f"{kind}.toml")
        _put(file, rng.choice(self._texts[kind]), rng)
        folders = Folders(box, box, box, box, box)
        readers: dict[str, Callable[[], object]] = {
            "rig": lambda: _plan(file, folders),
            "profile": lambda: pair_scores(load_document(file, ColourProfile)),
            "view": lambda: load_view(file),
            "scan": lambda: read_scan(file),
            "photo": lambda: read_photo(file),
        }
        return readers[kind]

    def _command(self, kind: str, box: Path, rng: random.Random) -> str:
        """Run a command on such a file."""
        self._prepared(kind, box, rng)
        facelets = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
        verb = {
            "rig": f"solve --rig rig.toml --facelets {facelets} --dry-run --budget-ms 5",
            "profile": "calibrate check --profile profile.toml",
            "view": "scan --virtual --dry-run",
            "scan": "scan --rgb scan.toml --json",
            "photo": "scan --photos .",
            "bundle": f"import {BUNDLE}",
        }.get(kind, rng.choice(("history --csv", "show last", "replay --all", "bundle last")))
        launch = Launch(box, _environment(box), codes={0, 2, 3, 4, 5, 7}, more_s=LIMIT_S)
        answer = run_verb(verb, launch)
        wrong = verdict(answer, launch, 0)
        return f"{verb}: {wrong}\n{answer.messages}" if wrong else ""


def _environment(box: Path) -> dict[str, str]:
    """Return an environment with the folders of a case; tables are those of this process."""
    return environment(box) | {"THISTLEBOT_CACHE_DIR": str(Folders.of_platform().cache)}


def _small_bundle(whole: Path, folder: Path) -> Path:
    """Keep the two smallest pictures of a bundle: a case takes milliseconds."""
    run, pictures = read_bundle(whole)
    few = sorted(pictures, key=lambda each: len(each.png))[:2]
    file = folder / bundle_name(run)
    write_bundle(file, run, few)
    return file


def _mutated(content: bytes, rng: random.Random) -> bytes:
    """Return a content with some mutations."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        way = rng.randrange(9)
        if way < 5:
            pattern, values = rng.choice(((_NUMBER, _NUMBERS), (_TEXT, _TEXTS)))
            if places := list(pattern.finditer(content)):
                at = rng.choice(places)
                content = content[: at.start()] + rng.choice(values) + content[at.end() :]
        elif way == 5:
            at_byte = rng.randrange(len(content) + 1)
            content = content[:at_byte] + rng.choice(_BETWEEN) + content[at_byte:]
        elif way == 6:
            lines = content.splitlines(keepends=True) or [b""]
            at_line = rng.randrange(len(lines))
            lines[at_line : at_line + 1] = [lines[at_line]] * rng.choice((0, 2, 1000))
            content = b"".join(lines)
        elif way == 7:
            content = content.decode("latin-1").encode(rng.choice(("utf-16", "utf-32", "utf-7")))
        else:
            content = damaged(content, rng)
        content = content[:_MOST_BYTES]
    return content


def _put(file: Path, content: bytes, rng: random.Random) -> None:
    """Write a mutated file; sometimes it is something else, or has no end."""
    way = rng.random()
    file.unlink(missing_ok=True)
    if way < 0.9:
        file.write_bytes(_mutated(content, rng))
    elif way < 0.92:
        os.mkfifo(file)
    elif way < 0.94:
        file.mkdir()
    elif way < 0.97:
        _put_device(file, rng.choice((*_DEVICES, "nowhere", file.name)))
    else:
        file.write_bytes(content)
        os.truncate(file, rng.choice((10**7, 10**9, 10**11)))


def _put_device(file: Path, name: str) -> None:
    """Create a device, or a link to nothing; root gets a device of the case, not the computer's."""
    if name in _DEVICES and os.geteuid() == 0:
        os.mknod(file, stat.S_IFCHR | 0o666, os.makedev(1, _DEVICES[name]))
    else:
        file.symlink_to(name)


def _plan(file: Path, folders: Folders) -> None:
    rig = load_rig(file, folders)
    if isinstance(rig, FaceMotors):
        rig.plan(MoveSequence.parse("R U2 F' L D2 B"))


def _import(file: Path, data: Path, rng: random.Random) -> None:
    run, pictures = read_bundle(file)
    store = Store(data, _LIMIT_BYTES)
    try:
        for picture in pictures:
            store.add_picture(run.uid, picture)
        store.add_run(row_of(run), run)
    finally:
        store.close()
    _read_journal(data, rng)


def _write_journal(data: Path, bundle: Path, rng: random.Random) -> None:
    """Write a journal with a run, values, and entries of a program that was killed; damage it."""
    run, pictures = read_bundle(bundle)
    with Journal(data, _LIMIT_BYTES, row_of) as journal:
        journal.keep("unfinished", "")
    store = Store(data, _LIMIT_BYTES)
    for picture in pictures:
        store.add_picture(run.uid, picture)
    store.add_run(row_of(run), run)
    store.close()
    way = rng.randrange(4)
    if way == 0:
        file = rng.choice([each for each in data.iterdir() if each.suffix != ".lock"])
        _put(file, file.read_bytes(), rng)
    elif way == 1:
        _change_row(data / FILE, rng)
    elif way == 2:
        tail = Tail(data / "tail-0.log")
        for content in _entries(run):
            tail.add(_mutated(content, rng)[:20_000] or b"x")
        tail.close()
    else:
        file = data / rng.choice(("tail-0.log", "order", FILE))
        changed = bytearray(file.read_bytes())
        for _ in range(rng.choice((1, 10, 1000))):
            changed[rng.randrange(min(len(changed), 200_000))] = rng.randrange(256)
        file.write_bytes(changed)


def _entries(run: StoredRun) -> Iterator[bytes]:
    context = run.context
    yield json.dumps({"type": "begin", "uid": "cafe", "began": 1e9}).encode()[:-1] + (
        b',"context":' + bytes(context) + b"}"
    )
    for time_s, event in run.events[:20]:
        yield b'{"type":"said","uid":"cafe","time_s":%f,"event":%s}' % (time_s, bytes(event))
    yield encode(Keep("unfinished", '{"steps":["R"]}', 7))


def _change_row(file: Path, rng: random.Random) -> None:
    """Put a strange value into a field of the database."""
    values = (
        0,
        -1,
        2**63 - 1,
        -(2**63),
        1e308,
        -1e308,
        "",
        "\x1b[2J\u202e",
        "x" * 10**6,
        b"",
        b"\xff",
    )
    packed = (b"[" * 10**6, b'{"a":' * 10**5, b"\xff", b'["\\ud800"]', bytes(10**8), b"[]" * 10**6)
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        table = rng.choice(("runs", "runs", "details", "contexts", "pictures", "kept"))
        columns = [(name, kind) for _, name, kind, *_ in db.execute(f"PRAGMA table_info({table})")]
        name, kind = rng.choice(columns)
        value = rng.choice(values)
        if kind == "BLOB":
            value = zlib.compress(rng.choice(packed)) if rng.random() < 0.7 else rng.randbytes(99)
        db.execute("PRAGMA ignore_check_constraints = 1")
        try:
            db.execute(f"UPDATE OR REPLACE {table} SET {name} = ?", (value,))  # noqa: S608 - ours
        except sqlite3.Error:  # the column takes no such type
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - our names


def _write_foreign(data: Path, rng: random.Random) -> None:
    """Write files of another program where the journal would be."""
    data.mkdir()
    if rng.random() < 0.3:
        for name in ("order", "tail-0.log", FILE):
            (data / name).write_bytes(b"mine" * rng.choice((10, 100_000)))
        return
    with closing(sqlite3.connect(data / FILE)) as db:
        db.execute(f"PRAGMA journal_mode = {rng.choice(('WAL', 'DELETE'))}")
        db.execute(f"PRAGMA application_id = {rng.choice((0, 1, 2**31 - 1))}")
        db.execute(f"PRAGMA user_version = {rng.choice((0, 1, 2, 99))}")
        db.execute("CREATE TABLE runs (mine TEXT)")
        db.execute("INSERT INTO runs VALUES (?)", ("x" * rng.choice((1, 10_000)),))
        db.commit()


def _read_journal(data: Path, rng: random.Random) -> None:
    """Do what `history`, `show`, `bundle`, `replay` and a machine that turns do."""
    folders = Folders(data, data, data, data, data)
    with Journal(data, _LIMIT_BYTES, row_of) as journal:
        ProgramJournal(journal).unfinished()
        journal.trouble()
    cstimer_csv(solving_rows(folders, virtual=True))
    rows = overview_of(folders, virtual=True).rows
    with past_runs(folders) as store:
        stored = [(store.run(row.uid), store.pictures(row.uid)) for _, row in store.rows()]
    for number, row in rows[:3]:
        _ = row.when, row.outcome.text
        _try(one_run, folders, str(number))
        _try(bundle_of, folders, str(number))
    for run, pictures in stored:
        if run is not None:
            _try(_steps, run)
            if rng.random() < 0.02:
                _try(replay, run, pictures)


def _steps(run: StoredRun) -> object:
    return steps_of([event for _, event in events_of(run)])


def _try(read: Callable[..., object], *arguments: object) -> None:
    """Go on after one of our errors: a command reads one run, and ends."""
    try:
        read(*arguments)
    except ThistlebotError:
        return


def _contents(folder: Path) -> Counter[object]:
    """Return what the files of a folder hold; a file of somebody else may only be renamed."""
    found: Counter[object] = Counter()
    for each in folder.rglob("*"):
        state = each.lstat()
        small = each.is_file() and not each.is_symlink() and state.st_size < 10**7
        found[each.read_bytes() if small else (state.st_mode, state.st_size)] += not each.is_dir()
    return found


class _Peak:
    """The growth of this process's memory; Linux resets its highest mark on request."""

    def __init__(self) -> None:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        self._before = self._highest_mb()

    def grown_mb(self) -> float:
        return self._highest_mb() - self._before

    @staticmethod
    def _highest_mb() -> float:
        text = Path("/proc/self/status").read_text(encoding="ascii")
        return int(text.partition("VmHWM:")[2].split()[0]) / 1000


class HangError(Exception):
    """A reader did not end in time."""


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Raise `HangError` after some time."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
