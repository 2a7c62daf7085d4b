"""The reaction of a session to a cube that is unsolved after the turns: report, retry, or stop."""

from collections import Counter
from statistics import median

from cube.facelets import SOLVED_FACELETS, Facelets
from cube.moves import FACES
from cube.orientation import Orientation, RotationError, facelet_places
from cube.state import CubeState
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Actuator, RigProgram
from robot.running.deviations import (
    Aftermath,
    Deviation,
    DeviationKind,
    Diagnosis,
    Explanation,
    diagnose,
)
from thistlebot.errors import NotVerifiedError
from thistlebot.events import Diagnosed
from thistlebot.records import DeviationRecord
from vision.reading import CubeReading

MOST_PLANS_AGAIN = 3
_HARDER = 1.2
"""Speed times acceleration of a motor that stands out, as a multiple of the median."""


class Unsolved:
    """Diagnoses the unsolved results of one run, and decides whether to plan again."""

    def __init__(self, rig: Mechanism, plans_again: int) -> None:
        self._rig = rig
        self._plans_again = plans_again
        self._found: list[Diagnosis] = []

    def examine(
        self,
        program: RigProgram,
        before: CubeState,
        seen: CubeReading,
        seen_before: CubeReading | None,
    ) -> Diagnosed:
        """Find out what went wrong.

        Args:
            program: The program.
            before: The cube before.
            seen: The cube afterwards; an accepted reading. Its faces are named as if the program
                had succeeded.
            seen_before: The reading of `before`, if there is one.
        """
        assert seen.facelets is not None
        end = Orientation() if program.end is None else program.end.held
        at_places = tuple((end.place_of(face), colour) for face, colour in seen.scheme)
        held = None if seen_before is None else held_since(seen_before.scheme, at_places)
        after = CubeState.from_facelets(by_places(seen.facelets, end))
        found = diagnose(self._rig, program, before, after, held)
        self._found.append(found)
        likeliest = found.explanations[0] if found.explanations else None
        return Diagnosed(
            diagnosis_text(found),
            tuple(map(deviation_record, likeliest.deviations)) if likeliest else (),
            likeliest.aftermath if likeliest else Aftermath.NONE,
            len(found.explanations),
            tuple(each.name for each in found.blamed),
        )

    def require_retry_left(self, seen: CubeReading, target: Facelets) -> None:
        """Raise an error if another plan would not help.

        Raises:
            NotVerifiedError: The message says what went wrong, and what to do.
        """
        advice = self._advice()
        if advice:
            assert seen.facelets is not None
            times = f" {len(self._found)} times" if len(self._found) > 1 else ""
            plain = target == SOLVED_FACELETS
            wanted = "solved" if plain else "in the target state"
            again = "thistlebot solve" if plain else f"thistlebot solve --to {target}"
            raise NotVerifiedError(
                f"the moves were made{times}, but the cube is not {wanted}: "
                f"{diagnosis_text(self._found[-1])}. {advice}, then run `{again}`; the cube "
                f"shows {seen.facelets.text}"
            )

    def _advice(self) -> str:
        """Return what the user should do instead; empty as long as another plan may help."""
        last = self._found[-1]
        blamed = Counter(each for found in self._found for each in found.blamed)
        jams = [each for each in last.explanations if each.aftermath is Aftermath.JAMMED]
        before = {each for found in self._found[:-1] for each in found.blamed}
        known = any(each in before for jam in jams for each in jam.actuators)
        if jams and (known or jams[0] is last.explanations[0]):
            most = max(blamed[each] for each in last.blamed)
            stuck = [each for each in last.blamed if blamed[each] == most]
            names = " or ".join(each.name for each in stuck)
            return f"Align the face of {names} by hand: it blocks every plan. {_told(stuck[0])}"
        if len(self._found) <= self._plans_again and not self._dead:
            return ""
        if all(each.nothing_turned for each in self._found) and not blamed:
            return (
                "The motors have no power, their driver is switched off, or nothing holds "
                "the cube: check the supply, the enable line and the grip"
            )
        if not blamed:
            return self._unexplained()
        if last.nothing_turned:  # the same if the turning parts did not block each other
            idle = {each for turn in self._rig.cube_turns(last.program) for each in turn.actuators}
            others = {each: count for each, count in blamed.items() if each not in idle}
            blamed = Counter(others) or blamed
        worst, count = blamed.most_common(1)[0]
        often = f" ({count} of {len(self._found)} times)" if len(self._found) > 1 else ""
        if not last.nothing_turned:
            return _told(worst, often)
        straight = (
            "Put the cube in again, aligned"
            if last.program.handles_cube
            else f"Align every face by hand, beginning with that of {worst.name}"
        )
        return f"{straight}. {_told(worst, often)}"

    def _unexplained(self) -> str:
        """Return advice for turns that went wrong in a way that nothing explains.

        A motor that is driven harder than the others is the first suspect.
        """
        measure = "`thistlebot calibrate motors` measures how fast each motor can turn"
        demand = {
            name: motor.rate_steps_s * motor.acceleration_steps_s2 / motor.steps_per_quarter**2
            for name, motor in self._rig.motors.items()
        }
        hardest = max(demand, key=lambda name: demand[name], default="")
        suspects = {
            actuator
            for each in self._found
            for turn in self._rig.cube_turns(each.program)
            for actuator in turn.actuators
            if actuator.name == f"motor {hardest}"
        }
        if not suspects or demand[hardest] <= _HARDER * median(demand.values()):
            return (
                f"Align every face by hand, check every coupling, and turn more slowly; {measure}"
            )
        faster = "it is driven harder than the others"
        return f"Align every face by hand. {_told(suspects.pop(), f' first: {faster}')}; {measure}"

    @property
    def _dead(self) -> bool:
        """Return whether nothing turned, even at the second attempt."""
        return len(self._found) > 1 and all(each.nothing_turned for each in self._found[-2:])


def _told(actuator: Actuator, often: str = "") -> str:
    return f"Check {actuator.name}{often}: {actuator.remedy}"


def by_places(facelets: Facelets, held: Orientation) -> Facelets:
    """Name facelets by the places in the machine instead of the cube's own faces.

    Args:
        facelets: Facelets, named by the faces of the cube.
        held: The orientation of the cube.
    """
    letters = [facelets.text[each] for each in facelet_places(held)]
    return Facelets("".join(map(held.place_of, letters)))


def held_since(
    before: tuple[tuple[str, str], ...], after: tuple[tuple[str, str], ...]
) -> Orientation | None:
    """Return the orientation of a cube from its centres' colours; None if it is ambiguous.

    Args:
        before: Face letter and colour of each centre, as the faces are named.
        after: Place and colour of each centre now.
    """
    face_of = {colour: face for face, colour in before}
    at = dict(after)
    faces = "".join(face_of.get(at.get(place, ""), "") for place in FACES)
    try:
        return Orientation(faces)
    except RotationError:
        return None


def deviation_record(deviation: Deviation) -> DeviationRecord:
    """Describe a turn that differed from the plan."""
    turn = deviation.turn
    by = tuple(each.name for each in turn.actuators)
    return DeviationRecord(deviation.number + 1, turn.step + 1, turn.does, by, deviation.kind.value)


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """Return what went wrong, without what to do about it."""
    if diagnosis.nothing_turned:
        return "nothing turned at all"
    if not diagnosis.explanations:
        return "one or two wrong turns do not explain what the camera sees"
    text = _explanation_text(diagnosis.explanations[0], diagnosis)
    others = [
        each
        for each in diagnosis.explanations
        if each.actuators != diagnosis.explanations[0].actuators
    ]
    if others:
        text += f"; or {_explanation_text(others[0], diagnosis)}"
    if len(others) > 1:
        names = ", ".join(dict.fromkeys(a.name for each in others for a in each.actuators))
        text += f"; {len(others) - 1} more explanations are possible, with {names}"
    return text


_MADE = {
    DeviationKind.DROPPED: "was not made",
    DeviationKind.SHORT: "stopped a quarter turn short",
    DeviationKind.DOUBLED: "was made twice",
    DeviationKind.REVERSED: "went in the wrong direction",
}
_AFTERWARDS = {
    Aftermath.NONE: "",
    Aftermath.LOOSE: ", and {by} turned nothing after that",
    Aftermath.JAMMED: ", and its face blocked the others after that",
    Aftermath.STILL: ", and nothing turned the cube after that",
}


def _explanation_text(explanation: Explanation, diagnosis: Diagnosis) -> str:
    names = " and ".join(each.name for each in explanation.actuators)
    if not explanation.deviations:
        names = " or ".join(each.name for each in explanation.actuators)
        return f"the face of {names} blocked the others from the beginning"
    made = ", and ".join(_deviation_text(each, diagnosis) for each in explanation.deviations)
    return made + _AFTERWARDS[explanation.aftermath].format(by=names)


def _deviation_text(deviation: Deviation, diagnosis: Diagnosis) -> str:
    turn, program = deviation.turn, diagnosis.program
    number = f"turn {deviation.number + 1} of {diagnosis.turns}"
    if program.handles_cube:
        number = f"step {turn.step + 1} of {len(program.steps)}"
    by = " and ".join(each.name for each in turn.actuators)
    return f"{number}, {turn.does} by {by}, {_MADE[deviation.kind]}"
