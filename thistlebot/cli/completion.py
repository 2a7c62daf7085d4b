"""What a shell offers at the TAB key: verbs, options, and the names that a person may type.

People wait for it, so it loads no verb: `completion.json` says what each verb takes. It is written
by `python -m benchmarks.site.reference`. Names that differ between computers are looked up.

The shell scripts of typer (`--install-completion`) call it, so questions and answers have its form.
"""

import json
import os
import shlex
import sqlite3
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

from documents.plugins import added_names
from thistlebot.config import Folders

FILE = "completion.json"
_LISTED = 20

Told = dict[str, Any]
Offer = tuple[str, str]
"""A word and its help, which may be empty."""


def answer_shell(environment: Mapping[str, str] = os.environ) -> None:
    """Print what may follow on the line that a shell has put into the environment.

    Raises:
        SystemExit: Fish only asks whether anything may follow.
    """
    shell = environment["_THISTLEBOT_COMPLETE"].partition("_")[2]
    before, begun = _words(environment)
    found = [each for each in offers(before, begun) if each[0].startswith(begun)]
    if environment.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        sys.exit(not found)
    if answer := _written(shell, found):
        print(answer)  # noqa: T201 - the shell reads it


def _words(environment: Mapping[str, str]) -> tuple[list[str], str]:
    """Return the words between the program and the word to complete, and its beginning."""
    line = environment.get("COMP_WORDS") or environment.get("_TYPER_COMPLETE_ARGS") or ""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:  # a quotation that is not closed yet
        words.append(lexer.token)
    if "COMP_CWORD" in environment:
        last = int(environment["COMP_CWORD"])
    elif "_TYPER_COMPLETE_WORD_TO_COMPLETE" in environment:
        last = len(words) - bool(environment["_TYPER_COMPLETE_WORD_TO_COMPLETE"])
    else:
        last = len(words) - (bool(words) and not line.endswith(" "))
    return words[1:last], "".join(words[last : last + 1])


def _written(shell: str, found: list[Offer]) -> str:
    if shell == "bash":
        return "\n".join(word for word, _ in found)
    if shell == "zsh":
        marks = str.maketrans({'"': '""', "'": "''", "$": "\\$", "`": "\\`", ":": r"\\:"})
        told = [f'"{a.translate(marks)}"' + (b and f':"{b.translate(marks)}"') for a, b in found]
        return f"_arguments '*: :(({chr(10).join(told)}))'" if told else "_files"
    if shell == "fish":
        return "\n".join(f"{word}\t{text}".rstrip() for word, text in found)
    return "\n".join(f"{word}:::{text or ' '}" for word, text in found)


def offers(before: list[str], begun: str) -> Iterable[Offer]:
    """Return what may follow some words.

    Args:
        before: The words of the line so far, without the program.
        begun: The beginning of the next word; options are returned only if it is a hyphen.
    """
    verbs = json.loads(resources.files("thistlebot.cli").joinpath(FILE).read_text("utf-8"))
    told: Told = {"verbs": verbs}
    open_option: Told | None = None
    options: dict[str, Told] = {}
    given = 0
    for word in before:
        if open_option is not None:
            open_option = None
        elif word in options:
            open_option = None if options[word].get("flag") else options[word]
        elif word.startswith("-"):
            pass
        elif "verbs" in told:
            told = told["verbs"].get(word, {"parameters": ()})
            parameters = told.get("parameters", ())
            options = {name: each for each in parameters for name in each.get("options", ())}
        else:
            given += 1
    if open_option is not None:
        return ((value, "") for value in _values(open_option, before))
    if "verbs" in told:
        added = added_names("verbs") if told["verbs"] is verbs else []
        known = [(name, each["help"]) for name, each in told["verbs"].items()]
        return [*known, *((name, "") for name in added)]
    if begun.startswith("-"):
        return [(name, each["help"]) for name, each in options.items()]
    arguments = [each for each in told["parameters"] if "options" not in each]
    taken = arguments[given : given + 1] or [each for each in arguments[-1:] if each.get("many")]
    return [(value, "") for each in taken for value in _values(each, before)]


def _values(told: Told, before: list[str]) -> Iterator[str]:
    """Yield the values of a parameter: known ones, plugins', and those of this computer."""
    yield from told.get("values", ())
    if kind := told.get("plugins"):
        yield from added_names(kind)
    if names := told.get("names"):
        yield from _HERE[names](before)


def profiles(_before: list[str]) -> Iterator[str]:
    """Yield the names of the user's colour profiles."""
    yield from sorted(file.stem for file in Folders.of_platform().profiles.glob("*.toml"))


def runs(_before: list[str]) -> Iterator[str]:
    """Yield the numbers of the latest runs."""
    yield "last"
    file = Folders.of_platform().data / "journal.sqlite"
    if file.is_file():
        with suppress(sqlite3.Error), closing(sqlite3.connect(file, timeout=0.1)) as journal:
            found = journal.execute("SELECT id FROM runs ORDER BY id DESC LIMIT ?", (_LISTED,))
            yield from (str(number) for (number,) in found.fetchall())


def actions(before: list[str]) -> Iterator[str]:
    """Yield the actions of the rig on the line, or of the usual rig; without any, its faces."""
    named = next((after for word, after in pairwise(before) if word == "--rig"), None)
    folders = Folders.of_platform()
    shipped = resources.files("robot").joinpath(f"data/rigs/{named}.toml")
    usual = (folders.here / "rig.toml", folders.config / "rig.toml")
    rig: Told = {}
    for file in (Path(named), shipped) if named else usual:
        if file.is_file():
            with suppress(OSError, ValueError):
                rig = tomllib.loads(file.read_text("utf-8"))
            break
    # A shell would take a name with spaces for several words; the verb also knows it with hyphens.
    yield from [each["name"].replace(" ", "-") for each in rig.get("actions", ())] or "URFDLB"


_HERE = {"profiles": profiles, "runs": runs, "actions": actions}
