"""All messages of the program in one list, and a check that no test depends on their wording.

The messages are in the code that raises or shows them, and the texts of the panel in tables. This
module collects all of them from the source, by file, in order. The list that a person has read is
`tests/approved/words.txt`:

    python -m benchmarks.suite.words             show what has changed since; exit code 1 then
    python -m benchmarks.suite.words --accept    take today's words as read
    python -m benchmarks.suite.words --reword tests/robot -n2
                                           run tests in a copy in which every message is reworded

Tests assert kinds, records and the data that a message carries, so the reworded copy passes them.
"""

import argparse
import ast
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    *("cube", "documents", "vision", "solver", "puzzles", "robot", "calibration"),
    *("thistlebot", "frontends", "teaching", "benchmarks/cli"),
)
APPROVED = ROOT / "tests" / "approved" / "words.txt"

_WORD = re.compile(r"(?<![\w`'\"{<>/.\\=-])[a-z]{3,}(?![\w`'\"}>/\\=(-]|\.\w)")
"""A plain word; not a quotation, option, file name, markup or name in code."""
_CODE = re.compile(r"[;|]|=>|</|/>|\{\w+:|\\|\b[A-Z]{4,} |^\s*[#@.]\w", re.MULTILINE)
"""Features of SQL, style sheets, scripts, markup and patterns."""
_QUOTED = re.compile(r"`[^`]*`")
_KEPT = ("robot/simulator/", "robot/protocol/codegen")
"""Modules whose f-strings are scripts and source, not messages."""
_ROTATED = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")


def is_message(text: str) -> bool:
    """Return whether a text looks like a sentence or part of one: two adjacent plain words."""
    if _CODE.search(text):
        return False
    return re.search(r"(?:^|[\s(])[A-Za-z]?[a-z]+,? [a-z]+\b", text) is not None


def template(node: ast.expr) -> str | None:
    """Return the text of a string or f-string with its fields in braces; None for other nodes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [
            f"{{{ast.unparse(part.value)}}}"
            if isinstance(part, ast.FormattedValue)
            else str(ast.literal_eval(part))
            for part in node.values
        ]
        return "".join(parts)
    return None


def messages(tree: ast.AST, *, docstrings: bool) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the messages of a module, in order.

    Args:
        tree: The module.
        docstrings: Include those of functions: they are the help of commands.
    """
    for node in ast.iter_child_nodes(tree):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if docstring and not (docstrings and isinstance(tree, ast.FunctionDef)):
            continue
        if isinstance(node, ast.Constant | ast.JoinedStr):
            text = template(node)
            if text is not None and is_message(text):
                yield node
                continue
        yield from messages(node, docstrings=docstrings)


def sources(root: Path) -> Iterator[tuple[str, ast.Module, bool]]:
    """Yield each module of the product: its path, its tree, whether its docstrings are help."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield name, tree, "/cli/" in name


def collected(root: Path) -> list[str]:
    """Return the lines of the list: a file's name, then its messages, indented."""
    lines: list[str] = []
    for name, tree, docstrings in sources(root):
        found = [template(node) or "" for node in messages(tree, docstrings=docstrings)]
        if found:
            lines += [name, *("  " + " ".join(text.split()) for text in found)]
    for path in sorted((root / "thistlebot" / "words").glob("*.toml")):
        lines.append(path.relative_to(root).as_posix())
        text = path.read_text(encoding="utf-8").splitlines()
        lines += [f"  {line}" for line in text if line and not line.startswith("#")]
    return lines


def reworded(text: str) -> str:
    """Return a message in other words of the same length; text in backquotes is unchanged."""
    kept = [*_QUOTED.finditer(text)]
    return _WORD.sub(
        lambda word: (
            word[0]
            if any(span.start() <= word.start() < span.end() for span in kept)
            else word[0].translate(_ROTATED)
        ),
        text,
    )


def reword(root: Path) -> int:
    """Reword the messages of a checkout, and return how many there were.

    These are all f-strings, and the texts of errors; other texts may be names in the program.
    """
    count = 0
    for name, tree, _ in sources(root):
        if name.startswith(_KEPT):
            continue
        raised = [
            each
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise)
            for each in messages(node, docstrings=False)
        ]
        found = [
            each
            for each in messages(tree, docstrings=False)
            if isinstance(each, ast.JoinedStr) or each in raised
        ]
        for node in found:
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            for part in parts:
                if isinstance(part, ast.Constant):
                    part.value = reworded(str(part.value))
        if found:
            (root / name).write_text(ast.unparse(tree), encoding="utf-8")
        count += len(found)
    return count


def run_reworded(arguments: list[str]) -> int:
    """Run pytest in a copy of the checkout with reworded messages; return its exit code."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="reworded-") as folder:
        tree = Path(folder) / "checkout"
        for name in filter(None, names.decode().split("\0")):
            if (ROOT / name).is_file():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, tree / name)
        for name in ("build/tests", "firmware/build"):  # data prepared for the tests
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tree / name)
        print(f"{reword(tree)} messages reworded", flush=True)
        command = [sys.executable, "-m", "pytest", "-m", "not exhaustive", *arguments]
        environment = dict(os.environ) | {"PYTHONPATH": str(tree)}
        return subprocess.run(command, cwd=tree, env=environment, check=False).returncode


def main() -> None:
    """Show, accept, or run tests reworded."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--accept", action="store_true", help="take today's words as read")
    parser.add_argument("--reword", nargs=argparse.REMAINDER, help="tests and options of pytest")
    given = parser.parse_args()
    if given.reword is not None:
        sys.exit(run_reworded(given.reword))
    now = collected(ROOT)
    if given.accept:
        APPROVED.parent.mkdir(parents=True, exist_ok=True)
        APPROVED.write_text("\n".join(now) + "\n", encoding="utf-8")
        return
    was = APPROVED.read_text(encoding="utf-8").splitlines() if APPROVED.is_file() else []
    changes = list(difflib.unified_diff(was, now, "read", "now", lineterm="", n=1))
    print("\n".join(changes))
    if changes:
        sys.exit("Words have changed. If they read well: make words ACCEPT=yes")


if __name__ == "__main__":
    main()
