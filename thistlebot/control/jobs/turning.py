"""Turning moves that were given: a scramble, or somebody's own."""

from cube.held_moves import read_moves
from cube.moves import MoveSequence
from thistlebot.control.bench import Bench
from thistlebot.control.commands import Scramble, Turn
from thistlebot.control.showing import notices
from thistlebot.session.composing import record_runs
from thistlebot.session.turning import turn_given
from thistlebot.solving.scrambles import random_scramble

VERB = "run"
"""The verb of the command line that turns given moves; such runs are no solves."""


def scramble(bench: Bench, _command: Scramble) -> None:
    """Turn a random scramble, and look at the cube."""
    _turn(bench, random_scramble(bench.solving, bench.rng))


def turn(bench: Bench, command: Turn) -> None:
    """Turn the given moves, and look at the cube."""
    _turn(bench, read_moves(command.moves).simplified())


def _turn(bench: Bench, moves: MoveSequence) -> None:
    machine = bench.machine
    driver = bench.driver()
    program = machine.rig.plan(moves, driver.lanes, driver.pose)
    bench.hub.tell(notices.Laid(tuple(str(step.moves) for step in program.steps)))
    recording = record_runs(machine, VERB, moves=str(program.moves))
    turn_given(driver, program, (bench.listen, recording))
    if driver.pose is not None:
        driver.run(machine.rig.rest(driver.pose))
    machine.settle()
    bench.look_as_it_lies()
