"""The cube that a user types: its state, how to hold it, and what to say about the text."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Self

from cube.errors import InvalidCubeError, NotationError
from cube.facelets import Facelets
from cube.held_moves import read_moves
from cube.laws import examine
from cube.moves import FACES
from cube.net import has_colours
from cube.state import SOLVED, CubeState
from cube.written.face_mistakes import FaceMistake, find_mistakes
from cube.written.face_orders import USUAL_ORDERS
from cube.written.written_cube import WrittenCube
from thistlebot.errors import UnsolvableCubeError, UsageError

# More explanations than this do not help.
_MOST_MISTAKES = 3
_MOST_PROBLEMS = 3
_STICKERS = 54


@dataclass(frozen=True, slots=True)
class TypedCube:
    """A solvable cube as it was typed.

    Attributes:
        state: Its state.
        scheme: The colour of each face as typed, a name or else the symbol of its centre; None if
            the text does not tell.
        note: What the program found out about the text, for the user; or empty.
    """

    state: CubeState
    scheme: Mapping[str, str] | None = None
    note: str = ""

    @classmethod
    def parse(cls, text: str, order: str | None = None, *, any_orientation: bool = False) -> Self:
        """Read the text of a cube; see `WrittenCube.parse`.

        Raises:
            InvalidCubeError: The text does not describe one cube.
            UnsolvableCubeError: Turns cannot solve this cube; the message names the broken laws,
                and the faces that were written rotated, exchanged or mirrored, if they explain
                this.
        """
        written = WrittenCube.parse(text, order, any_orientation=any_orientation)
        try:
            state = solvable_state(written.facelets)
        except UnsolvableCubeError as error:
            raise UnsolvableCubeError(_refusal(written, text, error), error.problems) from None
        return cls(state, written.scheme, reading_note(written))

    @classmethod
    def read(cls, text: str) -> Self:
        """Read the stickers of a cube, or the moves that scramble a solved one.

        Raises:
            NotationError: The text is neither; or see `parse`.
        """
        stickers = "".join(text.split())
        balanced = len(set(Counter(stickers).values())) == 1
        if len(stickers) == _STICKERS and (balanced or stickers == text.strip()):
            return cls.parse(text)  # 54 turns are written with spaces between them
        try:
            return cls(SOLVED.apply(read_moves(text)))
        except NotationError:
            if len(stickers) < _STICKERS or "'" in stickers:
                raise
        return cls.parse(text)

    def tell(self, note: Callable[[str], None]) -> None:
        """Say what the program found out about the text, if anything."""
        if self.note:
            note(self.note)

    def known_scheme(self, told: Mapping[str, str] | None) -> Mapping[str, str] | None:
        """Return the colour of each face; None if nobody told it.

        Raises:
            UsageError: It contradicts the text.
        """
        if told is None or self.scheme is None or not has_colours(self.scheme):
            return told or self.scheme
        wrong = next((face for face in FACES if told[face] != self.scheme[face]), None)
        if wrong is not None:
            raise UsageError(
                f"--scheme says that the centre of {wrong} is {told[wrong]}, but in the typed cube "
                f"it is {self.scheme[wrong]}: leave --scheme out, or correct the text"
            )
        return told


def solvable_state(facelets: Facelets) -> CubeState:
    """Return the state that the stickers show, if face turns can solve it.

    Raises:
        UnsolvableCubeError: A law of the cube is broken; the message names it and the pieces.
    """
    verdict = examine(facelets)
    if verdict.state is None or not verdict.solvable:
        text = "; ".join(problem.text for problem in verdict.problems)
        raise UnsolvableCubeError(f"face turns cannot solve this cube: {text}", verdict.problems)
    return verdict.state


def reading_note(written: WrittenCube) -> str:
    """Return what the program found out about a text; empty if there is nothing to say."""
    found = [] if written.order_told else [f"the stickers are listed {written.order.text}"]
    found += [f"{written.turned}, which is corrected"] if written.turned else []
    return "; ".join(found)


def mistakes_in(written: WrittenCube) -> tuple[FaceMistake, ...]:
    """Return what explains why a text is not a solvable cube; nothing if too many mistakes do."""
    found = find_mistakes(written.facelets)
    return found if len(found) <= _MOST_MISTAKES else ()


def order_advice(written: WrittenCube, text: str) -> str:
    """Return what to do about a text that is a cube in no usual order; empty if one was given."""
    if written.order_told:
        return ""
    names = ", ".join(order.name for order in USUAL_ORDERS)
    none = f"none of the usual orders ({names}) gives a cube that turns can solve"
    fitting = fitting_orders(text)
    if len(fitting) == 1:
        return f"{none}, but {fitting[0]} does: if that is right, add --order {fitting[0]}"
    return (
        f"{none}, and {written.order.name} comes nearest: check the stickers, and give the order "
        "with --order if it is another one"
    )


def fitting_orders(text: str) -> tuple[str, ...]:
    """Return all orders of the six faces in which a text is a cube that turns can solve."""
    return tuple(name for name in map("".join, permutations(FACES)) if _fits(text, name))


def _fits(text: str, order: str) -> bool:
    try:
        return examine(WrittenCube.parse(text, order).facelets).solvable
    except InvalidCubeError:
        return False


def _refusal(written: WrittenCube, text: str, error: UnsolvableCubeError) -> str:
    """Return why a cube cannot be solved, and what may be wrong with its text."""
    parts = [str(error)]
    if advice := order_advice(written, text):
        laws = [problem.text for problem in error.problems[:_MOST_PROBLEMS]]
        more = len(error.problems) - len(laws)
        laws += [f"and {more} more"] if more else []
        parts = [advice, f"in the order {written.order.name}, {'; '.join(laws)}"]
    for mistake in mistakes_in(written):
        remedy = ", or use --any-orientation" if mistake.kind == "turned" else ""
        parts.append(f"perhaps {mistake.text}: correct the text{remedy}")
    first, *rest = parts
    return ". ".join((first, *(part[0].upper() + part[1:] for part in rest)))
