"""Checks the project's sentences for phrases that are not English, and prints random ones to read.

    python -m benchmarks.suite.prose                          exit code 1 if a sentence has one
    python -m benchmarks.suite.prose --sample 50 --seed 1     random sentences of each kind

The list has the phrases that speakers of other languages bring into English. codespell, a spelling
checker, found no mistakes here.
"""

import argparse
import ast
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.suite.words import APPROVED, PACKAGES, ROOT

PHRASES = {
    r"\banew\b": "again",
    r"\b[Ww]hoever\b": "name the person or the program",
    r"\bSo many\b|\b(after|by|for|of) so many\b": "the number of",
    r"\bas of\b": "as in, or the values of",
    r"(?<![Tt]here )\b(is|are|was|were) no (?!longer|more|better|other|problem)[a-z]+": "is not a",
    r"\bthat was not before\b": "new",
    r"\bnaught\b|\bwherefrom\b|\bthereof\b": "use plain words",
    r"\bmisses an? (extra|library)\b": "needs a missing",
    r"\bwant of\b": "lack of, or no",
    r"\bin so far\b": "as far as",
    r"\ball that is\b": "everything that",
    r"\ba way on\b": "a next step",
    r"\bby so (much|many)\b": "by this much",
    r"(?<!^)\bcut off\b": "interrupted",
    r"\bunless given\b": "by default",
    r"\b(is|are|was|were) said\b": "who says it, or name the fact",
    r"\bevery [a-z]+ is asked\b|\basks? of\b": "name what the code does: probes, requires",
    r"\bgo(es)? whichever\b|\bturns? on and on\b": "without limit",
    r"\b(counter|contra)clockwise\b": "anticlockwise",
    r"^Also (an?|the|whether) ": "a sentence with a verb",
    r"\bto be looked at\b": "to inspect",
    r"\bfor so long\b|\bso long a\b": "for this long",
}
"""Each pattern, and what to write instead."""
_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`*])")
_QUOTED = re.compile(r"\"[^\"]*\"|`[^`]*`")
_PARAGRAPH = re.compile(r"\n\n|\n *(?:[-*]|\d+\.) ")
_NOT_PROSE = re.compile(r"^(```.*?^```|\|.*?$|#.*?$|<.*?$|!\[.*?$)", re.MULTILINE | re.DOTALL)


def pages() -> dict[str, list[Path]]:
    """Return the pages of each kind."""
    docs = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "firmware").glob("*.md")]
    docs += [ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
    return {
        "readme": [ROOT / "README.md"],
        "docs": sorted(docs),
        "messages": [APPROVED],
        "docstrings": [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))],
    }


def sentences(kind: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of every sentence of a kind."""
    for page in pages()[kind]:
        text = page.read_text(encoding="utf-8")
        place = str(page.relative_to(ROOT))
        if kind == "docstrings":
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                    docstring = " ".join(str(node.value.value).split())
                    yield from ((place, each) for each in _SENTENCE.split(docstring))
        elif kind == "messages":
            yield from ((place, line.strip()) for line in text.splitlines() if line[:1] == " ")
        else:
            for paragraph in _PARAGRAPH.split(_NOT_PROSE.sub("", text)):
                yield from ((place, each) for each in _SENTENCE.split(" ".join(paragraph.split())))


def main() -> None:
    """Check all sentences, or print a sample."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="print N of each kind")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.sample:
        for kind in pages():
            found = [each for each in sentences(kind) if len(each[1].split()) > 3]
            random.Random(given.seed).shuffle(found)
            for place, text in found[: given.sample]:
                sys.stdout.write(f"{kind}  {place}  {text}\n")
        return
    wrong = [
        f"{place}: {text}\n    «{match[0]}»: {instead}"
        for kind in pages()
        for place, text in sentences(kind)
        for pattern, instead in PHRASES.items()
        if (match := re.search(pattern, _QUOTED.sub("", text)))
    ]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
