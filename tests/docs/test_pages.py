"""Pages show what there is, and what they name exists; each public name has one meaning."""

import ast
import re
import shlex
from collections import defaultdict
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cube.drawing import net_drawing
from cube.patterns import PATTERNS
from prepared import ROOT
from puzzles.kinds.catalogue import puzzle_named
from robot.rigs.catalogue import NAMES
from run_thistlebot import thistlebot
from thistlebot.cli.program import build
from thistlebot.cli.verbs import current_words
from thistlebot.exit_codes import ExitCode

DOCS = ROOT / "docs"
LESSONS, PATTERNS_PAGE, RIGS = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("lessons", "patterns", "rigs")
)
EXAMPLE, _ = re.findall(r"^```toml\n(.*?)^```", RIGS, re.MULTILINE | re.DOTALL)
WITHOUT_DEVICES = {"--virtual", "--dry-run", "rig", "worksheet"}


TESTED_ELSEWHERE = {"http.md", "plugins.md"}
"""With a panel, and with the plugin: tests/frontends/panel/server, tests/thistlebot/cli."""
PAGES = [
    page
    for pattern in (
        "*.md",
        "docs/*.md",
        "docs/adr/*.md",
        "docs/measurements/*.md",
        "firmware/**/*.md",
    )
    for page in sorted(ROOT.glob(pattern))
    if page.name not in TESTED_ELSEWHERE
]
WITH_PYTHON = [page for page in PAGES if "\n```python\n" in page.read_text(encoding="utf-8")]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[list[str]]:
    return [
        shlex.split(line, comments=True)[1:]
        for block in blocks(page, "sh")
        for line in block.splitlines()
    ]


def test_every_command_of_every_page_has_the_verb_and_its_options() -> None:
    program, wrong, count = typer.main.get_group(build()), [], 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
        lines += re.findall(
            r"`(thistlebot [a-z][^`]*)`", re.sub(r"```.*?```", "", text, flags=re.S)
        )
        for line in lines:
            called = re.match(r"(?:\.venv/bin/)?thistlebot (.*)", line)
            if not called:
                continue
            words, hint = current_words(shlex.split(called[1], comments=True))
            wrong += [(page.name, line, hint)] if hint else []
            command = program
            try:
                while isinstance(command, TyperGroup) and words and words[0].islower():
                    command = command.commands[words.pop(0)]
                command.make_parser(typer.Context(command)).parse_args(words)
            except (KeyError, TyperException) as error:
                wrong.append((page.name, line, str(error)))
            count += 1
    assert wrong == [], wrong
    assert count > 150


@pytest.mark.exhaustive
@pytest.mark.usefixtures("simulated_time")
def test_every_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What needs a machine runs on the virtual one, in simulated time."""
    monkeypatch.chdir(tmp_path)
    Path("cradle.toml").write_text(EXAMPLE)
    wrong = []
    for page in (LESSONS, RIGS):
        for command in commands(page):
            devices = WITHOUT_DEVICES.isdisjoint(command) and command[0:2] != ["try", "--rig"]
            done = thistlebot(*command, *(["--virtual"] if devices and page is RIGS else []))
            # the first answer on the page of lessons is a wrong one
            code = ExitCode.NOT_VERIFIED if "--answer" in command else ExitCode.DONE
            if done.exit_code != code:
                wrong.append((command, done.exit_code, done.stderr))
    assert wrong == []


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_python_runs_as_in_a_notebook(page: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks(page.read_text(encoding="utf-8"), "python"):
        exec(block, names)


def test_the_page_of_patterns_shows_every_one_as_the_program_knows_it() -> None:
    for each in PATTERNS:
        file = f"pictures/patterns/{each.slug}.svg"
        assert f"| {each.name} | ![{each.name}]({file}) | {each.text} | `{each.moves}` |" in (
            PATTERNS_PAGE
        )
        assert (DOCS / file).read_text(encoding="utf-8") == net_drawing(
            each.state.to_facelets()
        ).svg()


def test_every_rig_is_shown_with_its_picture() -> None:
    table = RIGS[: RIGS.index("## From a photo")]
    assert [name for name in NAMES if f"`{name}`" not in table] == []
    pictures = re.findall(r"\]\((pictures/[^)]+)\)", RIGS)
    assert [file for file in pictures if not (DOCS / file).is_file()] == []


ESSAY = (DOCS / "mathematics.md").read_text(encoding="utf-8")
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


HOUSES = "benchmarks calibration cube documents puzzles robot solver teaching thistlebot vision"
COMMANDS = {"commands", "calibrate_commands"}
"""What a front end asks for has the name of its verb, and is used with the name of its module."""


def test_no_class_has_the_name_of_another() -> None:
    places = defaultdict(list)
    for house in HOUSES.split():
        for file in (ROOT / house).rglob("*.py"):
            if file.stem not in COMMANDS:
                for name in re.findall(r"^class ([^_]\w*)", file.read_text("utf-8"), re.MULTILINE):
                    places[name].append(str(file.relative_to(ROOT)))
    assert not {name: files for name, files in places.items() if len(files) > 1}


def test_every_script_that_a_page_names_exists() -> None:
    named = {
        (page.name, name)
        for page in {*PAGES, ROOT / "Makefile"} - {ROOT / "CHANGELOG.md"}
        for name in re.findall(r"-m (benchmarks[\w.]*\w)", page.read_text("utf-8"))
    }
    assert len(named) > 10
    places = {each: ROOT / each[1].replace(".", "/") for each in named}
    scripts = {
        each: (path.with_suffix(".py"), path / "__main__.py") for each, path in places.items()
    }
    assert [each for each, files in scripts.items() if not any(map(Path.is_file, files))] == []


NAMED_FILE = re.compile(r"`((?:[\w-]+/)+[\w-]+\.(?:cpp|h|md|py))`(?!\s+at\s)")
"""A file in backticks; not one of an earlier commit, whose name follows."""


def test_every_file_that_a_page_or_module_names_exists() -> None:
    modules = [
        file for house in (*HOUSES.split(), "frontends") for file in (ROOT / house).rglob("*.py")
    ]
    history = {ROOT / "CHANGELOG.md", *DOCS.glob("adr/*")}
    there = {
        "/".join(file.relative_to(ROOT).parts[start:])
        for top in (*HOUSES.split(), "docs", "firmware", "frontends", "tests")
        for file in (ROOT / top).rglob("*.*")
        for start in range(len(file.relative_to(ROOT).parts))
    }
    missing = [
        (file.name, name)
        for file in {*modules, *PAGES} - history
        for name in NAMED_FILE.findall(file.read_text("utf-8"))
        if name not in there
    ]
    assert missing == []
