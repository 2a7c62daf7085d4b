"""Which colours the cube in hand has: as its owner says, or as the profile in force knows."""

from collections.abc import Mapping, Sequence

from cube.moves import FACES
from thistlebot.errors import UsageError
from vision.colours.profile import ColourProfile
from vision.geometry.view import View


def known_scheme(
    told: Mapping[str, str] | None, profile: ColourProfile | None
) -> Mapping[str, str] | None:
    """Return face letter to colour name of the cube, None when nobody knows.

    Args:
        told: What the owner says with ``--scheme``, or None.
        profile: The profile in force, or None.

    Raises:
        UsageError: The two contradict each other.
    """
    if told is None or profile is None:
        return told or (profile.scheme if profile else None)
    if dict(told) != dict(profile.scheme):
        raise UsageError(
            f"--scheme {scheme_text(told)}, but the profile {profile.name!r} is of a cube with "
            f"{scheme_text(profile.scheme)}: leave --scheme away, or measure this cube with: "
            f"thistlebot calibrate colours --profile NAME --scheme {scheme_text(told)}"
        )
    return told


def require_same_centres(told: Mapping[str, str] | None, views: Sequence[View]) -> None:
    """Refuse views that name the hidden centres of another cube than the owner's.

    Raises:
        UsageError: A view and ``--scheme`` name a centre differently.
    """
    for view in views:
        for face, colour in view.centres.items():
            if told is not None and told[face] != colour:
                raise UsageError(
                    f"--scheme says that the centre of {face} is {told[face]}, a view says "
                    f"{colour}: hold the cube as the view has it, or write {face} = "
                    f'"{told[face]}" under [centres] of the view file'
                )


def scheme_text(scheme: Mapping[str, str]) -> str:
    """Write a scheme as ``--scheme`` takes it."""
    return ",".join(scheme[face] for face in FACES)
