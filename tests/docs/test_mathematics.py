"""The essay on the cube's mathematics names a test for every statement; the tests exist."""

import ast
import re
from pathlib import Path

from puzzles.kinds.catalogue import puzzle_named

ROOT = Path(__file__).resolve().parents[2]
ESSAY = (ROOT / "docs" / "mathematics.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"(tests/[\w/]+\.py)::(\w+)", ESSAY)))


def test_every_statement_names_its_test() -> None:
    """A quoted block that states something in bold ends with the tests that check it."""
    missing = []
    for path, name in NAMED:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        if name not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
            missing.append(f"{path}::{name}")
    assert missing == []
    blocks = re.findall(r"(?:^>.*\n)+", ESSAY, re.MULTILINE)
    assert len(blocks) > 15
    for block in blocks:
        assert "Checked by `tests/" in block, block
    assert len(NAMED) > 30


def test_the_puzzles_of_the_table_have_their_names() -> None:
    table = re.findall(r"^\| \d\d \|.*?\| `([^`]+)` \|", ESSAY, re.MULTILINE)
    assert len(table) == 20
    for name in table:
        assert puzzle_named(name).turns
