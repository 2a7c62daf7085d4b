"""The share of small faults that the tests notice: a seeded sample of mutants, by package.

`mutant_sample` draws them; this script works in a copy of the checkout, chooses tests and counts.
For each mutant the tests run from near to far and stop at the first failure: the file that mirrors
the module, the files of its package that import it, its folder, its package; with `--reach suite`,
all others. A test that takes too long fails. A failed test is repeated without the mutant: if it
fails again, it does not count.

Mutants that cannot change distance tables share them: they are built once, and a table whose
content differs from what the program knows is refused. `builders` tells which mutants build their
own.

    python -m benchmarks.suite.mutants --count 200 --seed 1 --results build/mutants.jsonl

With `--of COMMIT`, the sample is drawn from that commit, and the same changes are tried in the
present sources, as far as their lines still exist.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from benchmarks.report import Given, Percent, Report, Row, Rows, parser_of, run
from benchmarks.suite.mutant_sample import ROOT, Mutant, draw, found_again, mutated
from thistlebot.records import to_line

PACKAGES = (
    *("cube", "documents", "vision", "solver", "puzzles", "robot", "calibration"),
    *("thistlebot", "frontends", "teaching"),
)
GOAL = 0.92
TEST_S = 120
"""A test that takes longer with a mutant counts as failed."""
_IMPORT = re.compile(r"^ *(?:from ([\w.]+) )?import (\([^)]+\)|.+)", re.MULTILINE)
REACHES = ("file", "importers", "folder", "package", "suite")


class CheckoutCopy:
    """A copy of the checkout for trying mutants.

    Args:
        folder: An empty folder.
        reach: The range of the tests, one of REACHES.
        limit_s: Time limit per mutant; after it, the mutant has survived.
    """

    def __init__(self, folder: Path, reach: str, limit_s: float) -> None:
        self.tree, self._cache = folder / "checkout", folder / "cache"
        self._reach, self._limit_s = reach, limit_s
        self._passes: dict[str, bool] = {}
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
        for name in filter(None, names.decode().split("\0")):
            if (ROOT / name).is_file():
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.tree / name)
        self._builders = builders(self.tree)

    def killed_by(self, mutant: Mutant) -> str | None:
        """Return the test that notices a mutant; None if none does."""
        ends = time.monotonic() + self._limit_s
        for stage in self.stages(mutant.file):
            while (left_s := ends - time.monotonic()) > 0:
                failed = self._with(mutant, stage, left_s)
                if failed is None:
                    break
                if self._passes_without(failed):
                    return failed
        return None

    def stages(self, file: str) -> Iterator[tuple[str, ...]]:
        """Yield the tests of a module from near to far, without those already run."""
        module = Path(file)
        top = Path("tests") / module.parts[0]
        mirror = Path("tests") / module.with_name(f"test_{module.stem}.py")
        dotted = re.escape(".".join(module.with_suffix("").parts))
        imports = re.compile(rf"^(from|import) {dotted}\b", re.MULTILINE)
        importers = [
            path.relative_to(self.tree)
            for path in sorted((self.tree / top).rglob("test_*.py"))
            if imports.search(path.read_text(encoding="utf-8"))
        ]
        folder = mirror.parent
        while not (self.tree / folder).is_dir():
            folder = folder.parent
        seen: list[Path] = []
        ranges = ([mirror], importers, [folder], [top], [Path("tests")])
        for paths in ranges[: REACHES.index(self._reach) + 1]:
            fresh = [path for path in paths if path not in seen and (self.tree / path).exists()]
            if fresh:
                yield (*map(str, fresh), *(f"--ignore={path}" for path in seen))
            seen += fresh

    def _with(self, mutant: Mutant, tests: tuple[str, ...], most_s: float) -> str | None:
        """Return the first test that fails with a mutant."""
        with self.edited(mutant.file, mutated(mutant)):
            broken = (f"--deselect={name}" for name, fine in self._passes.items() if not fine)
            return self.run((*tests, *broken), most_s, share=mutant.file not in self._builders)

    @contextmanager
    def edited(self, name: str, text: str) -> Iterator[None]:
        """Replace a file temporarily."""
        file = self.tree / name
        source = file.read_text(encoding="utf-8")
        file.write_text(text, encoding="utf-8")
        try:
            yield
        finally:
            file.write_text(source, encoding="utf-8")

    def _passes_without(self, test: str) -> bool:
        """Return whether a test passes without mutants; others are excluded."""
        if test not in self._passes:
            self._passes[test] = self.run((test,), self._limit_s) is None
            if not self._passes[test]:
                print(f"fails without a mutant: {test}", file=sys.stderr, flush=True)
        return self._passes[test]

    def run(self, tests: tuple[str, ...], most_s: float, *, share: bool = True) -> str | None:
        """Return the first test that fails or takes too long; None if all pass in time."""
        # A thread ends the process; a signal would end one of many examples of hypothesis.
        limits = (f"--timeout={TEST_S}", "--timeout-method=thread")
        options = ("-x", "-n0", "-q", "-m", "not exhaustive", *limits)
        mine = {"PYTHONPATH": str(self.tree), "NUMBA_CACHE_DIR": str(self._cache / "code")}
        cache = self._cache / "shared" if share else Path(tempfile.mkdtemp(dir=self.tree.parent))
        mine["CACHE_OF_TESTS"] = str(cache)
        # Variables of tests that run this, for their own use: pytest's worker is not this one.
        outside = {key: text for key, text in os.environ.items() if not key.startswith("PYTEST_")}
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider", *tests],
            cwd=self.tree,
            env=outside | mine | {"PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "1000"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate(timeout=most_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return None
        if process.returncode in {0, 5}:  # 5: there was no test to run
            return None
        named = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said, re.MULTILINE)
        return named[1] if named else tests[0]


def builders(tree: Path) -> set[str]:
    """Return the files whose change may change tables or the code that builds them.

    These are the modules that define table sets, all their imports, even inside functions, and all
    modules that import one of those or the store itself.
    """
    imports: dict[str, set[str]] = {}
    for package in PACKAGES:
        for path in (tree / package).rglob("*.py"):
            text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
            names = set()
            for module, each in _IMPORT.findall(text):
                parts = [part.split()[0] for part in each.strip("()").split(",") if part.strip()]
                names |= {f"{module}.{part}" for part in parts} | {module} if module else {*parts}
            imports[".".join(path.relative_to(tree).with_suffix("").parts)] = names
    define = {module for module, names in imports.items() if "solver.tables.TableSet" in names}
    users = {module for module, names in imports.items() if names & (define | {"solver.tables"})}
    found: set[str] = set()
    fresh = define
    while fresh := {module for module in fresh if module in imports} - found:
        found |= fresh
        fresh = set().union(*(imports[module] for module in fresh))
    return {f"{module.replace('.', '/')}.py" for module in found | users}


class PackageRow(Row):
    """The mutants of a package, those that the tests notice, and their share."""

    package: str
    mutants: int
    killed: int
    share: Percent
    goal: float
    met: bool


def try_all(
    mutants: list[Mutant], results: Path | None, copy: CheckoutCopy, report: Report
) -> dict[Mutant, str | None]:
    """Try the mutants; skip those that were killed before, according to a file."""
    found: dict[Mutant, str | None] = {}
    if results is not None and results.is_file():
        rows = map(json.loads, results.read_text(encoding="utf-8").splitlines())
        found = {Mutant(**row["mutant"]): row["killed_by"] for row in rows}
    outcome: dict[Mutant, str | None] = {}
    for mutant in report.track(mutants, "mutants"):
        outcome[mutant] = found.get(mutant) or copy.killed_by(mutant)
        report.screen.note(f"{mutant.file}:{mutant.line} {outcome[mutant] or 'SURVIVED'}")
        if results is not None:
            with results.open("a", encoding="utf-8") as file:
                file.write(to_line({"mutant": mutant, "killed_by": outcome[mutant]}) + "\n")
    return outcome


def checkout_of(commit: str, folder: Path) -> Path:
    """Return a new checkout of a commit."""
    tree = folder / "earlier"
    cloning = ["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(tree)]
    choosing = ["git", "-C", str(tree), "checkout", "--quiet", commit]
    for command in (cloning, choosing):
        subprocess.run(command, check=True)
    return tree


def measure(given: Given, report: Report) -> Rows:
    """Draw and try; print the shares and the survivors."""
    packages = given.packages.split(",")
    most = -(-given.count // len(packages))
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        root = checkout_of(given.of, Path(folder)) if given.of else ROOT
        drawn = [draw(package, most, given.seed, root) for package in packages]
        mutants = list(chain.from_iterable(zip(*drawn, strict=True)))[: given.count]
        if given.of:
            again = [found_again(mutant, PACKAGES) for mutant in mutants]
            report.screen.note(f"lines that are gone: {again.count(None)} of {len(again)}")
            mutants = list(filter(None, again))
        copy = CheckoutCopy(Path(folder), given.reach, given.limit)
        outcome = try_all(mutants, given.results, copy, report)
    yield from (mutant for mutant, by in outcome.items() if by is None)
    for package in PACKAGES:
        fates = [by is not None for mutant, by in outcome.items() if mutant.package == package]
        if fates:
            share = sum(fates) / len(fates)
            yield PackageRow(package, len(fates), sum(fates), share, GOAL, share >= GOAL)


if __name__ == "__main__":
    parser = parser_of(__doc__, count=200, seed=1, packages=",".join(PACKAGES), limit=1800.0)
    parser.add_argument("--reach", choices=REACHES, default="package", help="the farthest tests")
    parser.add_argument("--of", help="the sample of this commit, without the lines that are gone")
    parser.add_argument("--results", type=Path, help="go on from this file, and write it")
    run(parser, measure)
