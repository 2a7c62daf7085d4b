"""The target of a session: solved, or another state."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from cube.facelets import Facelets
from cube.patterns import PATTERNS, Pattern, find_pattern
from cube.state import SOLVED, CubeState
from solver.stages.solution import Solution
from thistlebot.errors import UsageError
from thistlebot.reading.typed_cube import TypedCube
from thistlebot.session.unsolved import by_places, held_since
from thistlebot.solving.solver import Solve

_LONGEST_NAME = 40
"""Texts longer than this are read as the letters of a state, even if some letters are missing."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target state, in terms of the faces.

    Attributes:
        state: The state; by default the solved cube.
        scheme: Face letter and colour of each face for these names; empty until the cube in the
            machine is read: then they are those of the reading.
    """

    state: CubeState = SOLVED
    scheme: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls, text: str, order: str | None = None, note: Callable[[str], None] = lambda _: None
    ) -> "Target":
        """Read a target: the name of a pattern, or 54 letters.

        Raises:
            UsageError: It is neither; the message lists the patterns. Or a sticker is missing.
            InvalidCubeError: The letters are not 54 stickers of faces or colours.
            UnsolvableCubeError: Turns cannot make this cube.
        """
        if "?" in text:
            raise UsageError("a target needs all 54 stickers: replace each `?` by a letter")
        if len("".join(text.split())) > _LONGEST_NAME:
            cube = TypedCube.parse(text, order)
            cube.tell(note)
            return cls.typed(cube)
        return cls(pattern_named(text).state)

    @classmethod
    def typed(cls, cube: TypedCube) -> "Target":
        """Return a typed cube as a target, with its colours if it tells them."""
        return cls(cube.state, tuple((cube.scheme or {}).items()))

    @property
    def facelets(self) -> Facelets:
        """The stickers of the state."""
        return self.state.to_facelets()

    def named_as(self, scheme: tuple[tuple[str, str], ...]) -> "Target":
        """Name the faces as in a reading of the cube in the machine.

        A cube in another orientation has other names for the same faces. Colours identify them; if
        that is impossible, as for a cube in other colours, faces keep the names of their places.

        Args:
            scheme: Face letter and colour of each face; empty for no change.
        """
        if not scheme or scheme == self.scheme:
            return self
        held = held_since(self.scheme, scheme)
        if held is None:
            return replace(self, scheme=scheme)
        return Target(CubeState.from_facelets(by_places(self.facelets, held)), scheme)

    def solution(self, solve: Solve, state: CubeState) -> Solution:
        """Find moves from a state to the target.

        These moves also solve the cube whose pieces are renamed so that the target is solved: the
        inverse of the target, then the state. Stages are those of that cube.
        """
        found = solve(self.state.inverse() * state)
        return replace(found, state=state, target=self.state)


def pattern_named(name: str) -> Pattern:
    """Return the pattern with a name.

    Raises:
        UsageError: There is no such pattern; the message lists the known ones.
    """
    found = find_pattern(name)
    if found is None:
        names = ", ".join(each.name for each in PATTERNS)
        raise UsageError(f"there is no pattern {name!r}; choose one of {names}")
    return found
