"""The verb `calibrate check`: can the colours of a profile be told apart?"""

import typer

from calibration.pair_scores import failed_pairs, pair_scores
from thistlebot.cli.options import declared as options
from thistlebot.config import Folders, load_profile
from thistlebot.exit_codes import ExitCode
from thistlebot.records import to_line
from thistlebot.terminal.pair_table import show_pairs
from thistlebot.terminal.screen import Screen


def check(profile: options.Profile = "default", json: options.Json = False) -> None:
    """Say of each pair of a profile's colours whether a reader will tell the two apart.

    A score is the distance of two colours in usual spreads of their stickers; from 3 on it passes.
    No camera is opened. The exit code is 3 when a pair fails.

    [bold]thistlebot calibrate check --profile office[/]
    """
    screen = Screen(quiet=json)
    known = load_profile(profile or "default", Folders.of_platform())
    assert known is not None  # it has a name
    scores = pair_scores(known)
    if json:
        record = {"profile": known.name, "passed": not failed_pairs(scores)}
        typer.echo(to_line(record | {"pairs": [each.record() for each in scores]}))
    show_pairs(screen, scores)
    if failed_pairs(scores):
        raise typer.Exit(ExitCode.MISREAD)
