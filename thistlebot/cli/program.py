"""The program itself: its verbs, and its handling of errors and Ctrl-C."""

import contextlib
import importlib
import inspect
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cube.errors import ThistlebotError
from documents.errors import PluginError
from documents.plugins import Plugin
from robot.errors import NoAnswerError, PortMissingError
from thistlebot.cli.verbs import BUILT_IN, VERBS, current_words
from thistlebot.errors import OutputError, ReaderGoneError, UsageError, error_to_report, stopped_by
from thistlebot.exit_codes import error_record, exit_code_of
from thistlebot.output import guard_output, printable, require_printed, wrapped
from vision.cameras.picture_size import limit_pixels

_LINE = "thistlebot.line"


class Verbs(TyperGroup):
    """A group of verbs that reports our errors as one message with the right exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember what was typed."""
        ctx.meta[_LINE] = tuple(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help; that of the program lists the verbs by purpose, one line each."""
        if ctx.parent is not None:
            super().format_help(ctx, formatter)
            return
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        panels: dict[str, list[tuple[str, str]]] = {}
        panel = ""
        for name, verb in BUILT_IN.items():
            panel = verb.panel or panel
            if " " not in name:
                panels.setdefault(panel, []).append((name, verb.summary))
        if added := [(plugin.name, _help_of(plugin)) for plugin in VERBS.added()]:
            panels["Plugins"] = added
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(f"{name:<9}", text) for name, text in rows])
        with formatter.section("Options"):
            formatter.write_text("--version, --help; --install-completion for the TAB key")

    def invoke(self, ctx: Any) -> None:
        """Run a verb; one of our errors ends the program without a traceback."""
        line = ctx.meta[_LINE]
        as_json = "--json" in line
        try:
            super().invoke(ctx)
            require_printed()
        except TyperException as error:  # typer itself tells people what is wrong with the options
            if as_json:
                _print_record(UsageError(error.format_message()))
            raise
        except ThistlebotError as error:
            raise typer.Exit(_report(self._with_next_step(error, line), as_json)) from error
        except (KeyboardInterrupt, typer.Abort) as error:
            if isinstance(error, typer.Abort):
                typer.echo(err=True)  # the line of the question is still open
            raise typer.Exit(_report(stopped_by(error), as_json)) from error
        except typer.Exit:
            raise
        except Exception as error:
            raise typer.Exit(_report(error_to_report(error), as_json)) from error

    def _with_next_step(self, error: ThistlebotError, line: Sequence[str]) -> ThistlebotError:
        """Return an error with what the verb that was typed can do without a board."""
        if not isinstance(error, PortMissingError | NoAnswerError) or "--virtual" in str(error):
            return error
        verb: Any = self
        for word in line:
            verb = getattr(verb, "commands", {}).get(word, verb)
        options = {option for parameter in verb.params for option in parameter.opts}
        if "--virtual" not in options or "--virtual" in line:
            return error
        moves = ", or --dry-run to print the moves" if "--dry-run" in options else ""
        return type(error)(f"{error}\nwithout a board, add --virtual{moves}")


def _report(error: ThistlebotError, as_json: bool) -> int:
    """Print one message for a person, or one JSON line for a program, and return the exit code.

    The program is about to end: Ctrl-C would only suppress the message.
    """
    with _undisturbed():
        if as_json:
            _print_record(error)
        if not isinstance(error, ReaderGoneError):
            try:
                _print_error(error)
            except MemoryError:
                sys.stderr.write(printable(f"thistlebot: {error}\n"))
    return int(exit_code_of(error))


def _print_error(error: ThistlebotError) -> None:
    from rich.console import Console
    from rich.markup import escape

    console, name = Console(stderr=True, highlight=False), "thistlebot:"
    text = f"{name} {printable(str(error))}"
    told = wrapped(text, console.width) if console.is_terminal else text
    console.print(f"[bold red]{name}[/]{escape(told.removeprefix(name))}", soft_wrap=True)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore interrupts while the final output is printed: no motor is moving."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")  # Windows lacks the last two
    numbers = [signal.Signals[name] for name in names if hasattr(signal, name)]
    before = [signal.signal(number, signal.SIG_IGN) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _print_record(error: ThistlebotError) -> None:
    from thistlebot.records import ErrorLine, to_line

    typer.echo(to_line(ErrorLine(error_record(error))))


def build(words: Sequence[str] | None = None) -> typer.Typer:
    """Assemble the command line.

    Args:
        words: The words of the line that are not options: only the verb that they name is loaded,
            the others of the program are listed. Plugins are looked for only if the verb is none
            of the program's. By default all verbs are loaded, but plugins' verbs by name only.

    Raises:
        PluginError: The verb is a plugin, and cannot be loaded.
    """
    app = _bare()
    groups = {"": app}
    wanted = BUILT_IN if words is None else {" ".join(words[:1]), " ".join(words[:2])}
    for name, verb in BUILT_IN.items():
        parent, _, last = name.rpartition(" ")
        if verb.module and name not in wanted:
            groups[parent].command(last, help=verb.summary)(_unloaded)
            continue
        found = (
            getattr(importlib.import_module(verb.module), verb.function or last, {})
            if verb.module
            else {}
        )
        if callable(found):
            groups[parent].command(last)(found)
            continue
        groups[name] = typer.Typer(no_args_is_help=True, help=verb.summary)
        app.add_typer(groups[name], name=name)
        for each, function in found.items():
            groups[name].command(each)(function)
    if words is None or (words and words[0] not in BUILT_IN):
        _add_plugins(app, words[0] if words else "")
    for command in _commands(app):
        command.help = command.help or _flowing(command.callback.__doc__ or "")
    return app


def _commands(app: typer.Typer) -> Iterator[Any]:
    """Yield all verbs, including those in groups."""
    yield from app.registered_commands
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from _commands(group.typer_instance)


def _flowing(text: str) -> str:
    """Let the paragraphs of a docstring wrap at the terminal's width; examples keep their lines."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(
        part if part.startswith("[bold]thistlebot") else part.replace("\n", " ")
        for part in paragraphs
    )


def _add_plugins(app: typer.Typer, wanted: str) -> None:
    """List the verbs of plugins, and load the one that is wanted."""
    for plugin in VERBS.added():
        if plugin.name == wanted:
            app.command(wanted)(cast("Callable[..., object]", VERBS[wanted]))
        else:
            app.command(plugin.name, help=_help_of(plugin))(_unloaded)


def _help_of(plugin: Plugin) -> str:
    return f"Added by {plugin.package} {plugin.version}."


def _unloaded() -> None:
    raise AssertionError("a verb is loaded before it is run")


def _bare() -> typer.Typer:
    """Build the program without its verbs."""
    app = typer.Typer(
        cls=Verbs,
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        help=(
            "Read a scrambled cube with a camera, solve it, and turn it with motors.\n\n"
            "Without hardware: thistlebot demo. With a webcam: thistlebot solve --hand. "
            "With a rig: thistlebot doctor, then thistlebot solve."
        ),
    )
    app.callback()(_options)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from thistlebot.installed import version_of

        typer.echo(f"thistlebot {version_of('thistlebot')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_print_version,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    pass


def run_program() -> None:
    """Run the program named ``thistlebot``."""
    guard_output()
    # No process that we or a library of ours start takes code from the folder it is started in.
    os.environ["PYTHONSAFEPATH"] = "1"
    limit_pixels(os.environ)
    # What libraries of ours log reaches the user as notes; Python's last resort would repeat it.
    logging.getLogger().addHandler(logging.NullHandler())
    sys.argv[1:], hint = current_words(sys.argv[1:])
    if hint:
        sys.stderr.write(f"{hint}\n")
    try:
        program = build([word for word in sys.argv[1:] if not word.startswith("-")])
        program(prog_name="thistlebot")
    except OutputError as error:  # of the help, or of an error that was to be told
        sys.exit(_report(error, as_json=False))
    except PluginError as error:
        sys.exit(_report(error, as_json="--json" in sys.argv))
    except Exception as error:  # noqa: BLE001 - while the verb was loaded; a bug is raised again
        sys.exit(_report(error_to_report(error), as_json=False))
