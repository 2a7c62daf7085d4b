"""The colours of the cube: as its owner gives them, or as the active profile knows them."""

from collections.abc import Mapping, Sequence

from cube.moves import FACES
from thistlebot.errors import UsageError
from vision.colours.profile import ColourProfile
from vision.geometry.view import View


def known_scheme(
    told: Mapping[str, str] | None, profile: ColourProfile | None
) -> Mapping[str, str] | None:
    """Return the colour name of each face of the cube, None if unknown.

    Raises:
        UsageError: The two contradict each other.
    """
    if told is None or profile is None:
        return told or (profile.scheme if profile else None)
    if dict(told) != dict(profile.scheme):
        raise UsageError(
            f"--scheme {scheme_text(told)} contradicts profile {profile.name!r}, which is of "
            f"a cube with {scheme_text(profile.scheme)}: leave --scheme out, or measure this "
            "cube with: thistlebot calibrate colours --profile NAME --scheme "
            f"{scheme_text(told)}"
        )
    return told


def require_same_centres(told: Mapping[str, str] | None, views: Sequence[View]) -> None:
    """Refuse views with other colours of hidden centres than those that the owner gave.

    Raises:
        UsageError: A view and ``--scheme`` name a centre differently.
    """
    for view in views:
        for face, colour in view.centres.items():
            if told is not None and told[face] != colour:
                raise UsageError(
                    f"--scheme says that the centre of {face} is {told[face]}, but a view "
                    f"says {colour}: hold the cube as in the view, or write {face} = "
                    f'"{told[face]}" under [centres] in the view file'
                )


def scheme_text(scheme: Mapping[str, str]) -> str:
    """Write a scheme in the form of ``--scheme``."""
    return ",".join(scheme[face] for face in FACES)
