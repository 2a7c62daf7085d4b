"""Composes sessions: machine, solver, reader, listeners; among them one that stores the looks."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from thistlebot.events import Diagnosed, Event, Listener, Looked, Read, Verified
from thistlebot.journal.recording import Recording, versions
from thistlebot.journal.rows import STORED
from thistlebot.journal.run_record import RunContext, StoredCube
from thistlebot.reading.reader import Look, Reader
from thistlebot.reading.recorded_reader import RecordedReader
from thistlebot.session.machine import Machine
from thistlebot.session.session import Session
from thistlebot.session.target import Target
from thistlebot.session.unsolved import MOST_PLANS_AGAIN
from thistlebot.solving.solver import Solve


def solve_session(
    machine: Machine,
    solve: Solve,
    listeners: Sequence[Listener],
    *,
    looks: list[Look] | None = None,
    source: Reader | None = None,
    given: bool = False,
    turn: bool = True,
    verify: bool = True,
    target: Target | None = None,
    plans_again: int = MOST_PLANS_AGAIN,
    verb: str = "",
    stored: StoredCube | None = None,
    typed_scheme: Mapping[str, str] | None = None,
) -> Session:
    """Compose a session that solves cubes on a machine, and records them in the journal.

    Cameras are opened only if they are used, and before the motors are switched on.

    Args:
        machine: The machine.
        solve: Finds solutions.
        listeners: Receive the session's events, in this order.
        looks: Where to store the looks.
        source: Reads the cube instead of the machine's cameras, for example from photos.
        given: Whether `Session.run` gets the state, so that no camera looks before the turns.
        turn: Turn the cube; otherwise only plan.
        verify: Look again after turning.
        target: The target state; solved by default.
        plans_again: Number of times to plan again if the cube is not at its target.
        verb: The name of the runs in the journal; by default `solve`, which counts in the
            statistics, `solve --to` or `solve --dry-run`.
        stored: The source's data, for the journal.
        typed_scheme: The colours of a typed cube, for the journal.
    """
    checks, looks_first = turn and verify, source is None and not given
    # A machine that moves the cube for its cameras begins the program where the scan ended.
    moves = turn or (looks_first and not machine.scan.moves_nothing)
    usual = "solve --dry-run" if not turn else "solve" if target is None else "solve --to"
    recording = record_runs(
        machine,
        verb or usual,
        stored=stored,
        moves_machine=moves,
        typed_scheme=None if typed_scheme is None else dict(typed_scheme),
    )
    listeners = (*listeners, *_staging(machine), recording)
    checker = _reader(machine, listeners) if checks else None
    reader: Reader | None = None
    if source is not None:
        reader = RecordedReader(source, partial(recording.take_picture, STORED))
    elif looks_first:
        reader = _reader(machine, listeners, moving=turn)
    return Session(
        solve,
        machine.rig,
        reader=reader,
        checker=checker,
        driver=machine.driver() if moves else None,
        turn=turn,
        listeners=listeners,
        looks=looks,
        target=target,
        plans_again=plans_again,
        settle=machine.clock.sleep,
    )


def _staging(machine: Machine) -> tuple[Listener, ...]:
    """Return the listener that lets a virtual machine make its mistake, once."""
    mistake, machine.mistake = machine.mistake, None
    if mistake is None:
        return ()
    from thistlebot.session.virtual_world import Staging

    return (Staging(mistake, machine.world, machine.note),)


def record_runs(machine: Machine, verb: str, **known: Any) -> Recording:
    """Return a listener that writes the machine's runs into the journal, including pictures."""

    def now() -> RunContext:
        return RunContext(
            verb=verb,
            virtual=machine.choices.virtual,
            rig=msgspec.to_builtins(machine.rig),
            versions=versions(),
            views=machine.views_in_use,
            profile=machine.profile,
            scheme=dict(machine.choices.scheme) if machine.choices.scheme else None,
            lanes=machine.known_lanes(),
            pose=machine.known_pose(),
            **known,
        )

    recording = Recording(machine.journal, now, machine.note)
    machine.on_picture = recording.take_picture
    return recording


def _tell_stop(listeners: Sequence[Listener], done: int, total: int) -> None:
    for listener in listeners:
        listener(Looked(done, total))


def _reader(machine: Machine, listeners: Sequence[Listener], *, moving: bool = True) -> Reader:
    reader = machine.view_reader(moving=moving)
    reader.on_stop = partial(_tell_stop, listeners)
    return reader


class Recorder:
    """A listener that stores the looks of a session: for the JSON record, and as pictures.

    The pictures of the first look after the turns are called ``verify``, those of the second one
    ``verify2``, and so on.

    Attributes:
        verified: Whether the last look saw the cube at its target.
        went_wrong: The diagnoses of all looks that did not.
        files: The written pictures.
    """

    def __init__(self, folder: Path | None = None, looks: Sequence[Look] = ()) -> None:
        self._folder = folder
        self._looks = looks
        self._verified = 0
        self.verified = False
        self.went_wrong: list[str] = []
        self.files: list[Path] = []

    def __call__(self, event: Event) -> None:
        """Process one event."""
        match event:
            case Read(look):
                self._save("scan", look)
            case Verified(look, reached=reached):
                self.verified = reached
                self._verified += 1
                self._save(f"verify{self._verified if self._verified > 1 else ''}", look)
            case Diagnosed(text):
                self.went_wrong.append(text)
            case _:
                pass

    def _save(self, name: str, number: int) -> None:
        if self._folder is not None:
            from vision.annotate import save_reading

            look = self._looks[number]
            self.files += save_reading(self._folder, name, look.frames, look.reading)
