"""The sample of mutants: what is drawn, which tests it meets, and what counts as noticed."""

import subprocess
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="the extra dev is not installed")

from benchmarks.suite import mutant_sample, mutants

SOURCE = '''
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    LIMIT = 1

@cache
def half(number: "int | 3", more: bool = False) -> "4 | 5":
    """Return 6."""
    if number > 0 or more:
        raise ValueError(f"′ {number + 7}", 8)
    return number / 2
'''
TEST = """
from pkg.half import half
def test_half():
    assert half(-3) == -1.5
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one module and its test."""
    root = tmp_path / "root"
    for file, text in {"pkg/half.py": SOURCE, "tests/pkg/test_half.py": TEST}.items():
        (root / file).parent.mkdir(parents=True)
        (root / file).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", root], check=True)
    for module in (mutants, mutant_sample):
        monkeypatch.setattr(module, "ROOT", root)
    mutant_sample.places.cache_clear()
    return root


def test_what_no_test_could_notice_is_not_drawn(checkout: Path) -> None:
    drawn = mutant_sample.draw("pkg", 12, 1)
    changed = {SOURCE.splitlines()[mutant.line - 1].strip() for mutant in drawn}
    assert changed == {
        'def half(number: "int | 3", more: bool = False) -> "4 | 5":',
        "if number > 0 or more:",
        "return number / 2",
    }
    assert drawn == mutant_sample.draw("pkg", 12, 1) != mutant_sample.draw("pkg", 12, 2)
    assert (checkout / "pkg" / "half.py").read_text(encoding="utf-8") == SOURCE


def test_a_mutant_of_an_earlier_checkout_is_found_by_its_line(checkout: Path) -> None:
    drawn = mutant_sample.draw("pkg", 12, 1)
    source = checkout / "pkg" / "half.py"
    source.rename(source.with_name("quarter.py")).write_text(
        "\n" + SOURCE.replace("number / 2", "number / 4"), encoding="utf-8"
    )
    for mutant in drawn:
        found = mutant_sample.found_again(mutant, ["pkg"])
        if "number / 2" in mutant.change:
            assert found is None
        else:
            assert found is not None
            assert (found.file, found.line) == ("pkg/quarter.py", mutant.line + 1)
            assert found.change == mutant.change


def test_a_mutant_is_killed_by_a_test_that_notices_it_and_by_none_that_fails_anyway(
    checkout: Path,
) -> None:
    first = TEST.replace("test_half", "test_anyway").replace("== -1.5", "is None")
    (checkout / "tests" / "pkg" / "test_half.py").write_text(first + TEST, encoding="utf-8")
    drawn = mutant_sample.draw("pkg", 12, 1)
    tried = mutants.CheckoutCopy(checkout.parent, "file", 600)
    divided = next(mutant for mutant in drawn if "return" in mutant.change)
    assert tried.killed_by(divided) == "tests/pkg/test_half.py::test_half"
    assert (tried.tree / "pkg" / "half.py").read_text(encoding="utf-8") == SOURCE


def test_tables_are_rebuilt_by_whatever_may_change_them() -> None:
    found = mutants.builders(Path(__file__).resolve().parents[2])
    assert {
        "cube/moves.py",  # what tables are about
        "solver/tables.py",
        "solver/stages/thistlethwaite.py",
        "solver/search/metrics.py",  # says which tables there are
        "solver/kernels/building/fill.py",  # imported inside of a function only
        "thistlebot/solving/solver.py",  # asks for them
    } <= found
    assert not found & {
        "puzzles/groups/word_ways.py",
        "solver/kernels/strict.py",
        "cube/patterns.py",
    }


def test_tables_are_shared_by_the_tests_of_other_mutants(checkout: Path) -> None:
    (checkout / "tests" / "pkg" / "test_half.py").write_text(
        "import os\nfrom pathlib import Path\n"
        "def test_half():\n"
        "    cache = Path(os.environ['CACHE_OF_TESTS'])\n"
        "    cache.mkdir(parents=True, exist_ok=True)\n"
        "    (cache / 'made').touch()\n"
    )
    tried = mutants.CheckoutCopy(checkout.parent, "file", 600)
    made = tried._cache / "shared" / "made"
    for share in (False, True):
        assert tried.run(("tests",), 60, share=share) is None
        assert made.exists() == share
