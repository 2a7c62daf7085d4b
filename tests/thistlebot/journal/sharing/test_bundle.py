"""Bundles of runs have nobody's names in them; test_overview.py takes a whole one elsewhere."""

import contextlib
import struct
import tracemalloc
import zipfile
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from cubes import cube
from hand_video import photograph
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_runs import recorded

from run_thistlebot import thistlebot
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.journal.sharing.anonymous import anonymous
from thistlebot.journal.sharing.bundle import read_bundle, write_bundle
from thistlebot.session.replay import replay
from vision.cameras.picture_size import MOST_PIXELS


def said(*texts: str) -> StoredRun:
    events = tuple((0.0, msgspec.Raw(msgspec.json.encode({"text": text}))) for text in texts)
    return StoredRun(uid="0123456789abcdef", began=1.0, context=msgspec.Raw(b"{}"), events=events)


def texts(run: StoredRun) -> list[str]:
    return [msgspec.json.decode(event)["text"] for _, event in run.events]


def test_no_name_and_no_path_is_in_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / "wilhelmina of house"
    folder = home / "my cubes" / "secret"
    folder.mkdir(parents=True)
    photograph(folder, cube(3))
    cv2.imwrite(str(folder / "F.png"), np.zeros((480, 640, 3), np.uint8))
    for name, value in {"HOME": str(home), "LOGNAME": "wilhelmina", "USER": "wilhelmina"}.items():
        monkeypatch.setenv(name, value)
    result = thistlebot("solve", "--photos", str(folder), "--dry-run")
    assert result.exit_code == 3
    [(row, run, pictures)] = recorded(tmp_path / "data")
    assert "F.png" in row.told
    file = tmp_path / "b.zip"
    write_bundle(file, run, pictures)
    with zipfile.ZipFile(file) as archive:
        told = b"".join(archive.read(name) for name in archive.namelist() if "json" in name)
    for secret in ("wilhelmina", "secret", "my cubes", str(tmp_path)):
        assert secret not in told.decode()
    assert b"F.png" in told
    again, seen = read_bundle(file)
    assert not replay(again, seen).differences


CLEANED = {
    "no face in /users/al/U.jpg (face U), /elsewhere/R.jpg; take": (
        "no face in U.jpg (face U), R.jpg; take"
    ),
    "http://al:pw@10.0.0.3/cam.mjpg gave no picture": "address gave no picture",
    "rtsp://al:p,w)d'@s@10.0.0.3/cam; it ended": "address; it ended",
    "/srv/Al Smith/my rigs/rig.toml, line 3": "rig.toml, line 3",
    "read /srv/a/U.png and /srv/b c/R.png": "read U.png and R.png",
    "/dev/serial/by-id/usb-Arduino_Uno_7563331-if00 is busy": "device is busy",
    "C:\\Users\\Al\\rig.toml, line 3": "rig.toml, line 3",
    "../al/rig.toml": "rig.toml",
    "'~/cubes/3/U.png'": "'U.png'",
    "turn 4 of 31, U' by motor U, 3 steps/s": "turn 4 of 31, U' by motor U, 3 steps/s",
    "10 °/s², R/L and 1 / 2": "10 °/s², R/L and 1 / 2",
    "alan's rig of alan": "user's rig of user",
}


def test_what_looks_like_a_path_is_cut_to_its_end_and_a_known_one_whatever_is_in_it() -> None:
    run, _ = anonymous(said(*CLEANED), (), ("/users/al",), "alan")
    assert texts(run) == list(CLEANED.values())
    picture = Picture(number=0, camera=-1, source="my cubes/al (1)/U.jpg", time_s=0.0, png=b"x")
    told = said("my cubes/al (1)/U.jpg is dark; if my cubes/al (1)/ shows another")
    run, [kept] = anonymous(told, [picture], (), "")
    assert kept.source == "U.jpg"
    assert texts(run) == ["U.jpg is dark; if  shows another"]


def test_what_is_no_bundle_is_told(tmp_path: Path) -> None:
    file = tmp_path / "run.zip"
    with pytest.raises(MissingFileError, match=file.name):
        read_bundle(file)
    file.write_bytes(b"a picture of my cat")
    with pytest.raises(UsageError, match=file.name):
        read_bundle(file)
    write_bundle(file, said("x"), ())
    whole = file.read_bytes()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("run.json", '{"format": 9}')
    with pytest.raises(UsageError, match="9"):
        read_bundle(file)
    with zipfile.ZipFile(file, "w") as archive:
        evil = msgspec.structs.replace(said("x"), uid="../../etc")
        content = {"format": 1, "run": evil, "pictures": []}
        archive.writestr("run.json", msgspec.json.encode(content))
    with pytest.raises(UsageError, match="uid"):
        read_bundle(file)
    file.write_bytes(whole)
    assert texts(read_bundle(file)[0]) == ["x"]


PICTURE = cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))[1].tobytes()
NAMED = {"number": 0, "camera": 0, "source": "", "time_s": 0.0}
HUGE = struct.pack(">II", 4, MOST_PIXELS // 4 + 1)
STRANGE = {
    "a picture named twice": ([NAMED, NAMED], PICTURE, said("x")),
    "a number out of range": ([{**NAMED, "number": 10**30}], PICTURE, said("x")),
    "a time out of range": ([], b"", msgspec.structs.replace(said("x"), began=1e300)),
    "no picture": ([NAMED], b"RIFF" * 10, said("x")),
    "a picture of many pixels": ([NAMED], PICTURE[:16] + b"\xff" * 8, said("x")),
    "a picture that is not decoded": ([NAMED], PICTURE[:16] + HUGE + bytes(8), said("x")),
    "many zeros": ([NAMED], PICTURE + bytes(40_000_000), said("x")),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_bundle_that_asks_for_too_much_is_refused(name: str, tmp_path: Path) -> None:
    pictures, picture, run = STRANGE[name]
    file = tmp_path / "run.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        content = {"format": 1, "run": run, "pictures": pictures}
        archive.writestr("run.json", msgspec.json.encode(content))
        archive.writestr("pictures/000.png", picture)
    tracemalloc.start()
    result = thistlebot("history", "import", file)
    assert tracemalloc.get_traced_memory()[1] < 120_000_000
    tracemalloc.stop()
    assert result.exit_code == ExitCode.USAGE, result.output
    assert file.name in result.stderr


def test_an_import_gives_nothing_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THISTLEBOT_JOURNAL_SIZE", "20MB")
    file = tmp_path / "run.zip"
    big = PICTURE + bytes(9_000_000)
    write_bundle(
        file,
        said("x"),
        [Picture(number=n, camera=0, source="", time_s=0.0, png=big) for n in range(2)],
    )
    assert thistlebot("history", "import", file).exit_code == ExitCode.USAGE
    write_bundle(file, said("x"), ())
    assert thistlebot("history", "import", file).exit_code == 0


def test_what_a_stranger_wrote_does_not_command_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "run.zip"
    ended = {"event": "ended", "error": {"type": "RigError", "exit_code": 7, "text": "\x1b[2Jgone"}}
    events = ((0.0, msgspec.Raw(msgspec.json.encode(ended))),)
    write_bundle(file, msgspec.structs.replace(said(), events=events, ended=True), ())
    assert thistlebot("history", "import", file).exit_code == 0
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("run.json", '{"format": "\\u001b[2J"}')
    told = [
        thistlebot(*verb)
        for verb in (("history", "show", "last"), ("history",), ("history", "import", file))
    ]
    assert "gone" in told[0].output
    assert not any("\x1b" in each.output for each in told)


@settings(max_examples=25)
@given(st.data())
def test_a_damaged_bundle_is_refused_or_whole(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("bundle") / "run.zip"
    write_bundle(file, said("something", "more"), ())
    content = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= data.draw(st.integers(1, 255))
    else:
        del content[place:]
    file.write_bytes(content)
    found = []
    with contextlib.suppress(UsageError):
        found = texts(read_bundle(file)[0])
    assert found in ([], ["something", "more"])
