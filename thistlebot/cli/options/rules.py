"""Which options go together: what a way of calling a verb cannot honour is said, not ignored."""

from collections.abc import Collection

import typer

from thistlebot.errors import UsageError

_TYPED = "COMMANDLINE"


def given_options(context: typer.Context) -> dict[str, str]:
    """Return what stands on the command line, such as ``any_order``: ``--any-order``.

    Values from the environment and defaults are not in it.
    """
    found = {}
    for parameter in context.command.params:
        name = parameter.name
        source = None if name is None else context.get_parameter_source(name)
        if name is not None and source is not None and source.name == _TYPED:
            long = [option for option in parameter.opts if option.startswith("--")]
            found[name] = (long or [*parameter.opts, name])[0]
    return found


def require_only(context: typer.Context, way: str, honoured: Collection[str]) -> None:
    """Refuse options that a way of calling the verb cannot honour.

    Args:
        context: What was typed.
        way: The option that chooses the way, for the message.
        honoured: Names of the parameters that may be given.

    Raises:
        UsageError: The message names the others.
    """
    others = [option for name, option in given_options(context).items() if name not in honoured]
    if others:
        which = "it" if len(others) == 1 else "them"
        raise UsageError(f"{way} does not go with {' and '.join(others)}: leave {which} away")


def require_with(context: typer.Context, *rules: tuple[str, str, bool]) -> None:
    """Refuse options whose conditions are not fulfilled.

    Args:
        context: What was typed.
        rules: Name of a parameter, what it needs, and whether that is so.

    Raises:
        UsageError: One was given all the same; the message says what it needs.
    """
    given = given_options(context)
    for name, needs, fulfilled in rules:
        if name in given and not fulfilled:
            raise UsageError(f"{given[name]} goes with {needs}")
