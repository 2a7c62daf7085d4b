"""Whether the output of a command in French and in Russian still has English texts."""

import re
from pathlib import Path

from run_thistlebot import thistlebot
from thistlebot.words.words import load_words

_WORD = re.compile(r"[^\W\d_]{3,}")


def english_left(
    *command: object, tables: tuple[str, ...], names: str = ""
) -> list[tuple[str, str]]:
    """Return the English words that are left, with the language; they come from some tables.

    The record of ``--json`` must not depend on the language.
    """
    english, record = thistlebot(*command), _alike(*command)
    left = []
    for language in ("fr", "ru"):
        made = thistlebot(*command, "--language", language)
        own = words_of_tables(language, tables) | words_of(names)
        known = {*words_of_tables("en", tables), *words_of(english.stdout + english.stderr)} - own
        left += [(language, word) for word in sorted(words_of(made.stdout + made.stderr) & known)]
        assert made.exit_code == english.exit_code
        assert words_of(made.stdout + made.stderr) & own
        assert _alike(*command, "--language", language) == record
    return left


def english_in_russian(page: Path, tables: tuple[str, ...]) -> set[str]:
    """Return the English words of some tables that a Russian page shows."""
    text = page.read_text(encoding="utf-8")
    shown = re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    return words_of(shown) & words_of_tables("en", tables) - words_of_tables("ru", tables)


def _alike(*command: object) -> str:
    return re.sub(r'"cpu_ms":[^,}]*', "", thistlebot(*command, "--json").stdout)


def words_of(text: str) -> set[str]:
    """Return words of some letters; names of pieces, moves and options are none."""
    plain = re.sub(r"--\S+|\S*[/.\d]\S*", " ", text)
    return {word.lower() for word in _WORD.findall(plain) if not word.isupper()}


def words_of_tables(language: str, tables: tuple[str, ...]) -> set[str]:
    texts = load_words(language).texts
    return words_of(" ".join(text for key, text in texts.items() if key.startswith(tables)))
