"""All methods by name, and the published figures about them."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from solver.errors import SolverError
from solver.search.objectives import load_tables
from solver.stages.stage_tables import load_stage_tables
from solver.stages.subgroup_chain import S2_CHAIN
from solver.tables import TableStore
from teaching.methods.blind_search import ONE, BlindSearch
from teaching.methods.breeding import Breeding
from teaching.methods.chain.thistlethwaite import thistlethwaite_methods
from teaching.methods.chain.two_phase import TwoPhase
from teaching.methods.fridrich import Fridrich, PlainFridrich
from teaching.methods.layers import LayerByLayer
from teaching.methods.method import SolvingMethod
from teaching.wording import Wording

TWO_PHASE_MS, ANYTIME_MS = 5.0, 100.0
BACKTRACKING_LIMIT, BIDIRECTIONAL_LIMIT = 4, 6
_BRED = tuple(f"{each.name}=N" for each in fields(Breeding))


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """The description of a method, without its tables.

    Attributes:
        any_state: Whether it solves every cube; otherwise only near ones for sure.
        parameters: What may follow its name after a colon; N is a number.
    """

    name: str
    any_state: bool = True
    parameters: tuple[str, ...] = ()

    @property
    def title(self) -> Wording:
        """A description in one line."""
        times = {"two-phase": TWO_PHASE_MS, "anytime": ANYTIME_MS}
        values = {"ms": f"{times[self.name]:g}"} if self.name in times else {}
        return Wording(f"method.{self.name}", values)


ENTRIES = (
    MethodEntry("layers"),
    MethodEntry("fridrich"),
    MethodEntry("fridrich-plain", any_state=False, parameters=_BRED),
    MethodEntry("thistlethwaite", parameters=(ONE,)),
    MethodEntry("thistlethwaite-iddfs", parameters=(ONE,)),
    MethodEntry("thistlethwaite-five", parameters=(ONE,)),
    MethodEntry("thistlethwaite-five-iddfs", parameters=(ONE,)),
    MethodEntry("two-phase"),
    MethodEntry("anytime"),
    MethodEntry("backtracking", any_state=False),
    MethodEntry("bidirectional", any_state=False),
)
NAMES = tuple(entry.name for entry in ENTRIES)


def entry_named(name: str) -> MethodEntry:
    """Return the description of a method.

    Raises:
        SolverError: There is none.
    """
    for entry in ENTRIES:
        if entry.name == name:
            return entry
    raise SolverError(f"there is no method {name!r}; choose one of {', '.join(NAMES)}")


@dataclass(frozen=True, slots=True)
class Published:
    """A figure from a source.

    Attributes:
        beside: Our comparable method.
        cpu_s: Mean processor time, or None if unknown.
        facelets: The one state concerned; empty for a mean over random states.
    """

    source: str
    method: str
    beside: str
    moves: float
    cpu_s: float | None = None
    facelets: str = ""


PUBLISHED = (
    Published("S2", "evolutionary Fridrich", "fridrich", 101.0, 0.36),
    Published("S2", "evolutionary Fridrich", "fridrich-plain", 101.0, 0.36),
    *(
        Published("S2", "Thistlethwaite by IDDFS, five stages", beside, 36.23, 253.3)
        for beside in ("thistlethwaite-five-iddfs", "thistlethwaite-five:one")
    ),
    Published("rubik-solver", "CFOP", "fridrich", 75.1),
    Published("rubik-solver", "Beginner", "layers", 143.6),
    *(
        Published("S4", "packaged Kociemba", "two-phase", moves, None, facelets)
        for facelets, moves in (
            ("RFLFUBULBRRUURFBRFFUUUFRFFRDDDDDDDDDFLLLLBLLLBUURBBRBB", 20.0),
            ("UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB", 21.0),
            ("RBFLURBFLBUUFRBBDDRUURFLRDDBFLLDRRBFFUUBLFFDDLUULBRLDD", 23.0),
        )
    ),
)


def parameters(name: str) -> tuple[str, dict[str, int]]:
    """Return the name of a method and its parameters: `fridrich-plain:population=50`.

    Raises:
        SolverError: The method does not exist, or has no such parameter.
    """
    base, *given = name.split(":")
    known, found = entry_named(base).parameters, dict[str, int]()
    for each in given:
        key, _, value = each.partition("=")
        shape = each if "=" not in each else f"{key}=N" if value.isdecimal() else ""
        if shape not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise SolverError(f"the method {base} has no parameter {each!r}; {has}")
        found[key] = int(value or 1)
    return base, found


def load_method(name: str, store: TableStore | None = None) -> SolvingMethod:
    """Load a method with its tables; see `parameters` for its name.

    Raises:
        SolverError: There is no such method or parameter.
        TableError: Tables cannot be built.
    """
    base, given = parameters(name)
    makers: dict[str, Callable[[], SolvingMethod]] = {
        "layers": LayerByLayer,
        "fridrich": Fridrich,
        PlainFridrich.name: lambda: PlainFridrich(Breeding(**given)),
        "two-phase": lambda: TwoPhase(name, load_tables(store), TWO_PHASE_MS, phases=True),
        "anytime": lambda: TwoPhase(name, load_tables(store), ANYTIME_MS, phases=False),
        "backtracking": lambda: BlindSearch(name, BACKTRACKING_LIMIT),
        "bidirectional": lambda: BlindSearch(name, BIDIRECTIONAL_LIMIT),
    }
    if base in makers:
        return makers[base]()
    stages = thistlethwaite_methods(load_stage_tables(store))
    found = next(method for method in stages if method.name == base)
    return replace(found, chains=(S2_CHAIN,)) if ONE in given else found
