"""The folders of one run: what every run starts with, and a copy of it for each."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from cube.facelets import SOLVED_FACELETS
from cube.random_states import random_state
from documents.typed_toml import save_document
from robot.rigs.catalogue import default_rig
from robot.running.journal import JournalRecord
from thistlebot.config import Folders
from thistlebot.journal.program_journal import ProgramJournal
from thistlebot.runs.run_row import open_journal
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

PROGRAM = (sys.executable, "-P", "-m", "thistlebot")
SHARED_BYTES = 100_000
KEPT = ("cache", "config", "state", "data")


def template(box: Path) -> None:
    """Fill the folders that every run starts with: tables, compiled code, files of every kind."""
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
    ):
        subprocess.run([*PROGRAM, *arguments.split()], env=environment(box), cwd=box, check=True)


def environment(box: Path) -> dict[str, str]:
    """The environment of a run: nothing of ours but where its folders are."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    folders = {f"THISTLEBOT_{name.upper()}_DIR": str(box / name) for name in KEPT}
    return kept | folders | {"HOME": str(box / "home"), "THISTLEBOT_BACKGROUND": "0"}


@contextmanager
def copy_of(ready: Path) -> Iterator[Path]:
    """Folders of one run's own."""
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
    """Share a large file, copy a small one."""
    if Path(source).stat().st_size > SHARED_BYTES:
        os.link(source, target)
    else:
        shutil.copy2(source, target)
