"""Whether the output of a command in French and in Russian still has English texts."""

import re

from run_thistlebot import thistlebot
from thistlebot.words.words import load_words

_WORD = re.compile(r"[^\W\d_]{3,}")


def english_left(*command: str, tables: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the English words that are left, with the language; they come from some tables.

    A word that also occurs in the texts of the other language is none of them. The record of
    ``--json`` must not depend on the language.
    """
    english = thistlebot(*command)
    left = []
    for language in ("fr", "ru"):
        made = thistlebot(*command, "--language", language)
        own = _words(language, tables)
        known = {*_words("en", tables), *_said(english.stdout + english.stderr)} - own
        left += [(language, word) for word in sorted(_said(made.stdout + made.stderr) & known)]
        assert made.exit_code == english.exit_code
        assert _said(made.stdout + made.stderr) & own
        assert _alike(*command, "--language", language) == _alike(*command)
    return left


def _alike(*command: str) -> str:
    """Return what programs read, without times."""
    return re.sub(r'"cpu_ms":[^,}]*', "", thistlebot(*command, "--json").stdout)


def _said(text: str) -> set[str]:
    """Return words of some letters; names of pieces, moves and options are none."""
    plain = re.sub(r"--\S+|\S*[/.\d]\S*", " ", text)
    return {word.lower() for word in _WORD.findall(plain) if not word.isupper()}


def _words(language: str, tables: tuple[str, ...]) -> set[str]:
    texts = load_words(language).texts
    return _said(" ".join(text for key, text in texts.items() if key.startswith(tables)))
