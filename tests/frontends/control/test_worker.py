"""The machine's thread, on the virtual machine: real cameras' code, real protocol, real solver."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cubes import cube_after
from faulty_rig import Faults
from written_cubes import CUBE, WESTERN, written

from cube.facelets import SOLVED_FACELETS, facelet_index
from cube.moves import MoveSequence
from cube.state import SOLVED
from frontends.control import calibrate_commands, commands
from frontends.control.assistant_commands import FindDevices
from frontends.control.jobs import solving
from frontends.control.routing import task_of
from frontends.control.view_model.attention import AttentionAction, AttentionKind
from run_thistlebot import record, thistlebot
from thistlebot.errors import RefusedError
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.overview import latest_runs, overview_of
from thistlebot.journal.rows import Outcome
from thistlebot.words.mishaps import mishap_text
from thistlebot.words.words import load_words

Make = Callable[..., Any]


def test_a_dry_run_turns_nothing_and_a_solve_ends_verified(workshop: Make) -> None:
    gate = workshop()
    before = gate.state
    view = gate.do(commands.Solve(dry_run=True))
    assert view.dry_run
    assert gate.state == before
    assert before.apply(MoveSequence.parse(" ".join(view.plan.moves))) == SOLVED
    assert "Q" in gate.refused(commands.Turn("R Q"))
    view = gate.do(commands.Turn("[R, U] // and back\n[u] M’ (F2)x2"))
    assert view.plan.steps == ("R", "U", "R'", "U'", "F B'")
    view = gate.do(commands.Solve())
    assert view.verified
    assert gate.state == SOLVED
    assert view.cube.facelets == SOLVED_FACELETS.text
    assert (view.attention, view.solved) == (None, 1)
    assert set(view.times) >= {"total_s", "turn_s", "look_s"}


HIDDEN = ("F8", "B8")
DOUBTFUL = "D' B D2 F' R U L2 B2 R D' U2 F2 R' F' L2 F' L2 B2"
"""Makes a cube of which two colours remain possible while those two stickers are hidden."""


def test_a_misread_cube_is_corrected_by_what_a_person_tells_and_solved(workshop: Make) -> None:
    gate = workshop()
    gate.machine.world.rig.state = cube_after(DOUBTFUL)
    true = gate.state.to_facelets().text
    for camera in gate.machine.world.cameras:
        camera._covered = lambda: HIDDEN
    view = gate.do(commands.Solve())
    assert view.attention is not None
    assert (view.look.accepted, view.executed) == (False, 0)
    for name in HIDDEN:
        if not gate.view.look.accepted:
            gate.do(commands.TellSticker(name, true[facelet_index(name)]))
    assert gate.view.look.accepted
    view = gate.do(commands.Proceed())
    assert view.executed == len(view.plan.steps) > 0
    assert gate.state == SOLVED


def test_a_cube_that_somebody_gives_is_put_into_the_virtual_machine_or_is_the_target(
    workshop: Make,
) -> None:
    gate = workshop()
    scrambled = cube_after("R U2 F'").to_facelets().text
    for given, before in (("1. 12.34   R U2 F'", scrambled), (CUBE.text, CUBE.text)):
        view = gate.do(commands.Solve(state=given))
        assert view.verified
        assert view.plan.before == before
    for given, why in (("R Q", "Q"), (f"{CUBE.text[:-1]}{'UB'[CUBE.text[-1] == 'U']}", "10")):
        assert why in gate.refused(commands.Solve(state=given))
    assert gate.state == SOLVED
    gate.do(commands.Solve(target=written(CUBE, "FBUDLR", WESTERN), order="FBUDLR"))
    assert gate.state.to_facelets() == CUBE


def test_a_mistake_on_request_is_made_once_and_corrected(workshop: Make) -> None:
    gate = workshop()
    assert "none" in gate.refused(commands.Solve(mistake="none"))
    told = ("turn 3, ", "connection lost in step ", "")
    for mistake, first in zip(("3 short", "2 unplug", ""), told, strict=True):
        gate.do(commands.PutIn())
        view = gate.do(commands.Solve(mistake=mistake))
        assert view.verified
        assert gate.state == SOLVED
        [text] = [mishap_text(each, load_words("en"), corrected=True) for each in view.mishaps] or [
            ""
        ]
        assert text.startswith(first)
        assert text.endswith("; corrected") == (mistake == "3 short")
    assert gate.worker.close()
    found = overview_of(gate.folders, virtual=True)
    assert [bool(row.told) for _, row in found.rows] == [False, False, True]  # the newest first


def test_one_job_at_a_time_and_a_stop_in_the_middle_stops_at_a_detent(workshop: Make) -> None:
    gate = workshop()
    scramble = task_of(commands.Scramble())

    def press() -> None:
        with pytest.raises(RefusedError) as caught:
            gate.worker.begin(scramble)
        assert caught.value.kind == "busy"
        gate.worker.stop()

    gate.when(lambda view: view.executed >= 3, press)
    view = gate.do(commands.Solve())
    assert view.attention.kind == "stopped"
    assert 3 <= view.executed < len(view.plan.steps)
    assert gate.state != SOLVED
    assert gate.do(commands.Solve()).verified
    assert gate.state == SOLVED
    assert gate.worker.close()
    rows = overview_of(gate.folders, virtual=True).rows
    assert [row.outcome for _, row in rows] == [Outcome.VERIFIED, Outcome.STOPPED]


def test_the_button_on_the_board_solves_also_after_a_stop_of_nothing(workshop: Make) -> None:
    gate = workshop()
    gate.worker.stop()
    gate.wait(lambda: not gate.worker._stop.is_set())
    gate.machine.world.rig.press_button()
    gate.wait(lambda: gate.view.run == 1)
    gate.rest()
    assert gate.view.verified
    assert gate.view.last_job == "solve"


def test_a_lost_board_is_found_again_and_a_bug_in_a_job_ends_not_the_server(
    workshop: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = workshop()
    gate.machine.world.rig.unplug(60.0)
    gate.wait(lambda: bool(gate.view.notes))
    gate.wait(lambda: gate.opened == 2)
    with monkeypatch.context() as patch:
        patch.setattr(solving, "read_moves", lambda _: 1 // 0)
        view = gate.do(commands.Turn("R"))
    assert view.attention.kind is AttentionKind.OTHER
    assert gate.opened == 3
    assert gate.do(commands.Solve()).verified


def test_after_a_reset_in_mid_turn_a_person_says_that_faces_are_straight(
    pty_rig, workshop: Make
) -> None:
    port, rig = pty_rig(Faults(reset_at_move=2))  # outlives the worker, which would look for it
    gate = workshop(virtual=False, port=port)
    assert gate.do(commands.Turn("R U2 F")).attention.kind is AttentionKind.LINK
    turned = rig.moves
    for command in (commands.Turn("F"), commands.Scramble(), calibrate_commands.Buzz("U")):
        attention = gate.do(command).attention
        assert attention.kind is AttentionKind.ASKEW
        assert attention.actions[0] is AttentionAction.ALIGNED
    assert rig.moves == turned
    assert gate.do(commands.Align()).attention is None
    gate.do(commands.Turn("F"))
    assert len(rig.moves) == len(turned) + 1


def test_a_stop_counts_while_the_board_still_answers_the_one_before(workshop: Make) -> None:
    gate = workshop()
    driver = gate.machine.connected_driver()
    stop = driver.stop

    def stop_and_be_stopped() -> None:
        driver.stop = stop
        stop()
        gate.worker.begin(task_of(commands.Scramble()))
        gate.worker.stop()

    driver.stop = stop_and_be_stopped
    gate.worker.stop()
    gate.wait(lambda: gate.view.run == 1)
    gate.rest()
    assert gate.view.attention.kind == "stopped"
    assert gate.view.executed == 0


def test_stop_while_the_machine_is_opened_ends_nothing(workshop: Make) -> None:
    stops: list[Callable[[], None]] = []
    gate = workshop(lambda _: [stop() for stop in stops])
    stops.append(gate.worker.stop)
    gate.do(FindDevices())
    gate.wait(lambda: gate.opened == 2 and gate.worker._ready.is_set())
    gate.wait(lambda: not gate.worker._stop.is_set())
    assert gate.do(commands.Scramble()).attention is None


def test_again_does_what_was_requested(workshop: Make) -> None:
    """After a misread copy or pattern another look is no plain solve."""
    gate = workshop()
    gate.do(commands.Remember())
    remembered = gate.state
    for asked in (commands.Copy(), commands.Solve(target="superflip")):
        gate.do(commands.Scramble())
        assert gate.do(asked).verified
        wanted = gate.state
        gate.do(commands.Scramble())
        assert gate.do(commands.Again()).verified
        assert gate.state == wanted
    assert wanted != remembered
    assert gate.worker.close()
    verbs = [row.verb for _, row in reversed(latest_runs(gate.folders, 20, virtual=True))]
    assert verbs == ["scramble", "solve --to"] * 4


def test_another_program_learns_who_has_the_board_and_stops_it(
    pty_rig, workshop: Make, tmp_path: Path
) -> None:
    """Without a name of the board, too, as tests/frontends/cli/machine tells."""
    port, rig = pty_rig()
    gate = workshop(virtual=False, port=port)
    gate.begin(commands.Turn("R U2 F' " * 200))
    gate.wait(lambda: gate.view.executed >= 1 and bool(gate.view.job))
    busy = thistlebot("run", "U", "--port", port)
    assert busy.exit_code == ExitCode.NO_DEVICE
    assert f"(process {os.getpid()})" in busy.stderr
    assert "thistlebot stop" in busy.stderr
    assert len(record("stop", "--port", port)["asked"]) == 1
    gate.rest()
    assert gate.view.attention.kind is AttentionKind.STOPPED
    assert 0 < len(rig.moves) < 600
    assert gate.worker.close()
    assert not list((tmp_path / "state").glob("*.sock"))
    assert thistlebot("run", "U", "--port", port).exit_code == 0


def test_a_machine_that_is_closed_in_mid_turn_stops_at_a_detent(workshop: Make) -> None:
    gate = workshop()
    closing = threading.Thread(target=gate.worker.close)

    def close() -> None:
        closing.start()
        gate.worker._closing.wait()

    gate.when(lambda view: view.executed >= 2, close)
    gate.begin(commands.Solve())
    gate.worker.ended.wait(60.0)
    closing.join(60.0)
    assert not closing.is_alive()
    assert 2 <= gate.view.executed < len(gate.view.plan.steps)


def test_a_machine_that_nobody_uses_shows_itself_unless_it_needs_a_person(workshop: Make) -> None:
    """Only a cube that is seen solved is scrambled: others belong to somebody."""
    gate = workshop(attract_min=0.02)
    gate.do(commands.Scramble())
    gate.do(commands.Solve())
    gate.wait(lambda: gate.view.last_job == "attract" and not gate.view.job)
    assert gate.view.verified
    assert gate.state == SOLVED
    assert gate.worker.close()
    assert overview_of(gate.folders, virtual=True).summary.solves >= 2
