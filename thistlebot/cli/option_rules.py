"""Which options go together: one that would have no effect is refused, not ignored."""

from collections.abc import Collection

import typer

from thistlebot.errors import UsageError

_TYPED = "COMMANDLINE"


def given_options(context: typer.Context) -> dict[str, str]:
    """Return the options on the command line, such as ``any_order``: ``--any-order``.

    Values from the environment and defaults are not included.
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
    """Refuse options that do not apply to this use of the verb.

    Args:
        context: The command line.
        way: The option that selects this use, for the message.
        honoured: Names of the parameters that apply.

    Raises:
        UsageError: The message names the others.
    """
    others = [option for name, option in given_options(context).items() if name not in honoured]
    if others:
        which = "it" if len(others) == 1 else "them"
        raise UsageError(f"{way} does not go with {' and '.join(others)}: leave {which} out")


def require_with(context: typer.Context, *rules: tuple[str, str, bool]) -> None:
    """Refuse options whose conditions are not met.

    Args:
        context: The command line.
        rules: Name of a parameter, its requirement, and whether that is met.

    Raises:
        UsageError: A requirement is not met; the message names it.
    """
    given = given_options(context)
    for name, needs, fulfilled in rules:
        if name in given and not fulfilled:
            raise UsageError(f"{given[name]} needs {needs}")
