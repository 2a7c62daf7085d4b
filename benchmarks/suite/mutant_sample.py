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
from dataclasses import dataclass
from functools import cache
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
def places(file: str) -> list[list[tuple[str, int]]]:
    """Return where a file can be mutated; for each place the operators and their occurrences."""
    source = (ROOT / file).read_text(encoding="utf-8")
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
    return [found[place] for place in sorted(found)]


def mutated(mutant: Mutant) -> str:
    """Return the text of the mutated file."""
    text = _mutated(mutant.file, mutant.operator, mutant.occurrence)
    assert text is not None, mutant
    return text


def _mutated(file: str, operator: str, occurrence: int) -> str | None:
    """Return the text of a mutated file; None if it is invalid, or means the same."""
    source = (ROOT / file).read_text(encoding="utf-8")
    try:
        text = mutate_code(source, get_operator(operator)(), occurrence)
    except AttributeError:  # cosmic-ray cannot replace an exception whose name contains a dot
        return None
    try:
        same = text is None or ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    except SyntaxError:
        return None
    return None if same else text


def draw(package: str, count: int, seed: int) -> list[Mutant]:
    """Draw mutants: files in proportion to their size, then a place, then an operator.

    Raises:
        ValueError: The package does not have that many.
    """
    rng = random.Random(f"{seed} {package}")
    files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*.py"))
    sizes = [len((ROOT / file).read_text(encoding="utf-8").splitlines()) for file in files]
    drawn: dict[Mutant, None] = {}
    for _ in range(20 * count):
        if len(drawn) == count:
            return list(drawn)
        (file,) = rng.choices(files, sizes)
        if not places(file):
            continue
        operator, occurrence = rng.choice(rng.choice(places(file)))
        text = _mutated(file, operator, occurrence)
        if text is not None:
            line, change = difference((ROOT / file).read_text(encoding="utf-8"), text)
            drawn[Mutant(file, line, operator, occurrence, change)] = None
    raise ValueError(f"{package} has hardly {count} mutants: draw fewer")


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
            return low + 1, f"{was}  →  {now or '(nothing)'}"
    return 0, ""
