"""A rig: ``--rig one-camera``."""

from importlib import resources


def one_camera() -> str:
    """Return the rig file's text; its first comment is the description in `thistlebot rig list`."""
    return resources.files(__package__).joinpath("rig.toml").read_text(encoding="utf-8")
