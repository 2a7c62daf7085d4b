"""The possible mutants, made by cosmic-ray, and a seeded sample of them.

Excluded, because no test should notice them:

- annotations, and other code for type checkers only;
- messages: f-strings, and the texts of `raise`;
- decorators that only save time, and options of `dataclass` and `Struct`, such as `frozen`;
- `strict` of `zip`, which has no effect in a correct program;
- `is` for `==` and back: the difference depends on chance.
"""

import ast
import difflib
import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parents[2]
NOT_SEEN = {
    *("cache", "lru_cache", "inlined", "dataclass"),
    *("final", "overload", "override", "runtime_checkable", "abstractmethod"),
}
"""Decorators whose absence or options no test can notice."""
SAME = ("_Is_Eq", "_Eq_Is", "_IsNot_NotEq", "_NotEq_IsNot")
_TO = "  →  "
Place = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Mutant:
    """One change to one file.

    Attributes:
        file: Its path in the checkout.
        line: Line of the change.
        operator: cosmic-ray's name for it.
        occurrence: Index among the places where that operator applies.
        change: The line before and after.
    """

    file: str
    line: int
    operator: str
    occurrence: int
    change: str

    @property
    def package(self) -> str:
        """The package of the file."""
        return self.file.partition("/")[0]


def hidden_places(source: str) -> list[Place]:
    """Return the excluded parts, as the start and end of each: (line, column)."""
    lines = source.splitlines()
    hidden: list[Place] = []
    for node in ast.walk(ast.parse(source)):
        for part in _hidden_parts(node):
            if part is None:
                continue
            assert part.end_lineno is not None
            assert part.end_col_offset is not None
            if part in getattr(node, "decorator_list", ()):  # with its @ and the end of its line
                hidden.append(((part.lineno, 0), (part.end_lineno + 1, 0)))
                continue
            start = (part.lineno, _column(lines, part.lineno, part.col_offset))
            end = (part.end_lineno, _column(lines, part.end_lineno, part.end_col_offset))
            hidden.append((start, end))
    return hidden


def _hidden_parts(node: ast.AST) -> list[ast.expr | ast.stmt | None]:
    """Return the excluded parts of a node."""
    match node:
        case ast.FunctionDef():
            return [node.returns, *filter(_not_seen, node.decorator_list)]
        case ast.ClassDef():
            words = [word.value for word in node.keywords]
            return [*words, *filter(_not_seen, node.decorator_list)]
        case ast.arg() | ast.AnnAssign():
            return [node.annotation]
        case (
            ast.Raise()
            | ast.JoinedStr()
            | ast.If(test=ast.Name(id="TYPE_CHECKING"))
            | ast.Subscript(value=ast.Name(id="Annotated"))
        ) as hidden:
            return [hidden]
        case ast.keyword(arg="strict"):
            return [node.value]
    return []


def _not_seen(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(called).rpartition(".")[2] in NOT_SEEN


def _column(lines: list[str], line: int, offset: int) -> int:
    """Return the column of a byte of a line: ast counts bytes, cosmic-ray characters."""
    return len(lines[line - 1].encode()[:offset].decode())


@cache
def places(path: Path) -> dict[Place, list[tuple[str, int]]]:
    """Return where a file can be mutated; for each place the operators and their occurrences."""
    source = path.read_text(encoding="utf-8")
    hidden = hidden_places(source)
    nodes = list(ast_nodes(get_ast(source)))
    found: dict[Place, list[tuple[str, int]]] = defaultdict(list)
    for name in operator_names():
        kind = get_operator(name)
        if kind.arguments() or name.endswith(SAME):
            continue
        operator, occurrence = kind(), -1
        for node in nodes:
            for start, end in operator.mutation_positions(node):
                occurrence += 1
                if not any(first <= start and end <= last for first, last in hidden):
                    found[start, end].append((name, occurrence))
    return {place: found[place] for place in sorted(found)}


def mutated(mutant: Mutant) -> str:
    """Return the text of the mutated file."""
    text = _mutated(ROOT / mutant.file, mutant.operator, mutant.occurrence)
    assert text is not None, mutant
    return text


def _mutated(path: Path, operator: str, occurrence: int) -> str | None:
    """Return the text of a mutated file; None if it is invalid, or means the same."""
    source = path.read_text(encoding="utf-8")
    try:
        text = mutate_code(source, get_operator(operator)(), occurrence)
    except AttributeError:  # cosmic-ray cannot replace an exception whose name contains a dot
        return None
    try:
        same = text is None or ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    except SyntaxError:
        return None
    return None if same else text


def draw(package: str, count: int, seed: int, root: Path | None = None) -> list[Mutant]:
    """Draw mutants: files in proportion to their size, then a place, then an operator.

    Args:
        package: The name of a folder.
        count: Number of mutants.
        seed: Seed of the drawing.
        root: Another checkout than this one.

    Raises:
        ValueError: The package does not have that many.
    """
    rng = random.Random(f"{seed} {package}")
    root = root or ROOT
    files = sorted(path.relative_to(root).as_posix() for path in (root / package).rglob("*.py"))
    sizes = [len((root / file).read_text(encoding="utf-8").splitlines()) for file in files]
    drawn: dict[Mutant, None] = {}
    for _ in range(20 * count):
        if len(drawn) == count:
            return list(drawn)
        (file,) = rng.choices(files, sizes)
        found = list(places(root / file).values())
        if not found:
            continue
        operator, occurrence = rng.choice(rng.choice(found))
        mutant = _mutant(root, file, operator, occurrence)
        if mutant is not None:
            drawn[mutant] = None
    raise ValueError(f"{package} has hardly {count} mutants: draw fewer")


def found_again(earlier: Mutant, packages: Iterable[str]) -> Mutant | None:
    """Return the same change of the same line in this checkout; None if the line is gone.

    Args:
        earlier: A mutant of another checkout.
        packages: The folders where its line may be. A file with the same name comes first.
    """
    line, name = earlier.change.partition(_TO)[0], Path(earlier.file).name
    paths = chain.from_iterable(sorted((ROOT / package).rglob("*.py")) for package in packages)
    for path in sorted(paths, key=lambda path: path.name != name):
        lines = [" ".join(text.split()) for text in path.read_text(encoding="utf-8").splitlines()]
        if line not in lines:
            continue
        file = path.relative_to(ROOT).as_posix()
        near = (
            _mutant(ROOT, file, operator, occurrence)
            for (start, end), options in places(path).items()
            if line in lines[start[0] - 1 : end[0]]
            for operator, occurrence in options
            if operator == earlier.operator
        )
        for mutant in near:
            if mutant is not None and mutant.change == earlier.change:
                return mutant
    return None


def _mutant(root: Path, file: str, operator: str, occurrence: int) -> Mutant | None:
    """Return a mutant of a file; None if it is invalid, or means the same."""
    text = _mutated(root / file, operator, occurrence)
    if text is None:
        return None
    line, change = difference((root / file).read_text(encoding="utf-8"), text)
    return Mutant(file, line, operator, occurrence, change)


def difference(before: str, after: str) -> tuple[int, str]:
    """Return the first difference of two texts, and the line before and after."""
    old, new = before.splitlines(), after.splitlines()
    changes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for tag, low, high, new_low, new_high in changes:
        if tag != "equal":
            was, now = (
                " ".join(" ".join(lines).split())
                for lines in (old[low:high], new[new_low:new_high])
            )
            return low + 1, f"{was}{_TO}{now or '(nothing)'}"
    return 0, ""
