"""The possible defects of a machine on which the program runs: one function per fault."""

import io
import json
import os
import random
import resource
import signal
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MEMORY = 1 << 30
FILE_SIZE = 100_000
_BUILDING_S, _COMPILING_S = 40.0, 15.0
_PYTHON_S = 0.1
"""A signal may arrive this long before our first line."""


@dataclass
class Launch:
    """The start of a command.

    Attributes:
        box: The folders of this run: `home`, `work`, `cache`, `config`, `state`.
        environment: Its environment.
        limits: Resource limits, by number.
        wrapper: A command before the program.
        output: Target of its output.
        kill: A signal, and the seconds until it is sent.
        codes: Exit codes that the fault explains, besides those of the command without it.
        more_s: Additional time, for files that must be rebuilt.
    """

    box: Path
    environment: dict[str, str]
    limits: dict[int, int] = field(default_factory=dict)
    wrapper: tuple[str, ...] = ()
    output: str = "pipe"
    kill: tuple[int, float] | None = None
    codes: set[int] = field(default_factory=set)
    more_s: float = 0.0


Fault = Callable[[Launch, random.Random], None]


def no_home(launch: Launch, _rng: random.Random) -> None:
    """Remove the user's folders, and prevent their creation."""
    strip(launch)
    launch.environment["HOME"] = "/proc/nobody"
    launch.codes |= {2, 5}
    launch.more_s = _BUILDING_S


def foreign_user(launch: Launch, rng: random.Random) -> None:
    """Give the folders to another user without permissions, perhaps with the working folder."""
    strip(launch)
    home = launch.box / "home"
    launch.environment["HOME"] = str(home)
    for folder in (".cache/thistlebot", ".config/thistlebot", ".local/state/thistlebot"):
        (home / folder).mkdir(parents=True)
    locked = rng.choice([[home], list(home.glob("*")), [launch.box / "work"]])
    for path in locked:
        path.chmod(0)
    launch.more_s = _BUILDING_S
    without_privilege(launch)


def read_only(launch: Launch, _rng: random.Random) -> None:
    """Make the folders read-only, perhaps with the working folder."""
    for path in (launch.box, *launch.box.rglob("*")):
        if path.is_dir():
            path.chmod(0o555)
    without_privilege(launch)


def strip(launch: Launch) -> None:
    """Let the platform choose the folders."""
    for kind in ("CACHE", "CONFIG", "STATE"):
        del launch.environment[f"THISTLEBOT_{kind}_DIR"]


def without_privilege(launch: Launch) -> None:
    """Apply permissions to root, too."""
    if os.geteuid() == 0:
        launch.wrapper = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    launch.codes |= {2, 5}


def full_disk(launch: Launch, _rng: random.Random) -> None:
    """Prevent files from growing beyond some kilobytes."""
    launch.limits[resource.RLIMIT_FSIZE] = FILE_SIZE
    launch.codes |= {2, 5}


def little_memory(launch: Launch, _rng: random.Random) -> None:
    """Limit the address space to a gigabyte."""
    launch.limits[resource.RLIMIT_AS] = MEMORY
    launch.codes |= {5}


def closed_output(launch: Launch, rng: random.Random) -> None:
    """Close the reading end of the output, or send it to a full device."""
    launch.output = rng.choice(["gone", "full"])
    launch.codes |= {5, 141}


def signalled(launch: Launch, rng: random.Random) -> None:
    """Send a signal, at once or in the middle."""
    kind = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    launch.kill = (kind, rng.choice([rng.uniform(0.02, 0.3), rng.uniform(0, 2)]))
    launch.codes |= {6}
    if launch.kill[1] < _PYTHON_S:
        launch.codes.add(-kind)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return a damaged file."""
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: b"",
        lambda: data[: len(data) // 2],
        lambda: rng.randbytes(max(64, len(data) // 2)),
        lambda: flipped(data, rng),
        lambda: b"a = " + b"[" * 20_000,
        lambda: b"[" * 20_000,
        lambda: b"\xff\xfe" + data,
        lambda: data * 2,
    )
    return rng.choice(ways)()


def flipped(data: bytes, rng: random.Random) -> bytes:
    """Return data with one bit flipped."""
    changed = bytearray(data or b"\0")
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def corrupt(kind: str, pattern: str, more_s: float = 0.0) -> Fault:
    """Damage one of the files of a kind, which takes more time to be rebuilt."""

    def strike(launch: Launch, rng: random.Random) -> None:
        files = [path for path in sorted(launch.box.glob(pattern)) if path.is_file()]
        assert files, f"there is no {kind}: {pattern}"
        path = rng.choice(files)
        data = path.read_bytes()
        path.unlink()  # it may be linked to the file that all runs share
        if rng.random() < 0.1:
            path.mkdir()
        else:
            path.write_bytes(damaged(data, rng))
        launch.codes |= {2, 3, 4, 5, 7}
        launch.more_s = more_s

    return strike


def hostile_folder(launch: Launch, rng: random.Random) -> None:
    """Put files with our names into the working folder, and a rig file of something else."""
    names = ("typer", "numpy", "solver", "thistlebot", "json", "cv2", "random", "rich", "platform")
    for name in names:
        text = "open('planted-code-ran', 'w'); raise SystemExit('planted')\n"
        if rng.random() < 0.3:
            (launch.box / "work" / name).mkdir()
            (launch.box / "work" / name / "__init__.py").write_text(text)
        else:
            (launch.box / "work" / f"{name}.py").write_text(text)
    if rng.random() < 0.5:
        (launch.box / "work" / "rig.toml").write_bytes(damaged(b"[motors.U]\nchannel = 0\n", rng))
        launch.codes |= {2}


BUNDLE = "run.thistlebot.zip"
_STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 2**63, -1e308, 1e-320, "", "\x1b]0;mine\x07\x1b[2J", "..", "/etc/passwd"),
    *("x" * 1_000_000, "\ud800", [], {}, [[]] * 10_000, {"kind": "solve"}, "U" * 54, "R U2 " * 500),
)
"""Strange values in bundles."""


def hostile_bundle(launch: Launch, rng: random.Random) -> None:
    """Make a bundle with other values, other entries, other sizes."""
    path = launch.box / "work" / BUNDLE
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    path.unlink()
    run = json.loads(parts["run.json"])
    run["run"]["uid"] = f"{rng.getrandbits(64):016x}"  # the journal already has the original one
    places = [run, run["run"]["context"], *([run["run"]["events"]] * 4)]
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        _change(rng.choice(places), rng)
    parts["run.json"] = json.dumps(run).encode("utf-8", "replace")
    names = [name for name in parts if name.endswith(".png")]
    if names and rng.random() < 0.2:
        parts[rng.choice(names)] = rng.choice(
            (
                b"",
                b"GIF89a",
                b"\x89PNG\r\n\x1a\n" + bytes(50_000_000),
                damaged(parts[names[0]], rng),
            )
        )
    more = rng.choice((*([""] * 6), "../outside", "/outside", "run.json", *names[:1]))
    memory = io.BytesIO()
    with (
        zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive,
        warnings.catch_warnings(action="ignore"),  # two entries with one name
    ):
        for name, content in parts.items():
            archive.writestr(name, content)
        if more:
            archive.writestr(zipfile.ZipInfo(more), rng.choice((b"", bytes(100_000_000))))
    data = memory.getvalue()
    if rng.random() < 0.1:  # the sizes in the entries and the directory
        at = data.find(b"PK\x01\x02") + 20
        data = data[:at] + rng.randbytes(8) + data[at + 8 :]
    path.write_bytes(data)
    launch.limits[resource.RLIMIT_AS] = 2 * MEMORY
    launch.codes |= {0, 2, 5, 7}


def _change(value: Any, rng: random.Random) -> None:
    """Put a strange value somewhere into a JSON document."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = rng.choice(keys)
        inside = isinstance(value[key], dict | list) and len(value[key]) > 0
        if not inside or rng.random() < 0.1:
            break
        value = value[key]
    if isinstance(value, dict) and rng.random() < 0.2:
        del value[key]
    else:
        value[key] = rng.choice(_STRANGE)


FAULTS: dict[str, Fault] = {
    "no home": no_home,
    "foreign user": foreign_user,
    "read-only": read_only,
    "full disk": full_disk,
    "1 GB": little_memory,
    "closed output": closed_output,
    "signal": signalled,
    "corrupt tables": corrupt("table", "cache/tables/*.npz", _BUILDING_S),
    "corrupt compiled code": corrupt("compiled code", "cache/kernels-*/**/*.*", _COMPILING_S),
    "corrupt journal": corrupt("journal", "data/*"),
    "corrupt rig": corrupt("rig", "config/rig.toml"),
    "corrupt profile": corrupt("profile", "config/profiles/*.toml"),
    "corrupt photo": corrupt("photo", "work/photos/*.png"),
    "corrupt states": corrupt("states", "work/states.txt"),
    "corrupt scans": corrupt("scans", "work/scans.jsonl"),
    "hostile folder": hostile_folder,
    "corrupt bundle": corrupt("bundle", f"work/{BUNDLE}"),
    "hostile bundle": hostile_bundle,
}
