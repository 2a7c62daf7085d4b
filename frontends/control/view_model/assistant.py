"""What the assistant for a first run shows: the pane ``assistant`` of the view."""

import msgspec

from frontends.control.assistant_commands import AssistantStep


class FoundPort(msgspec.Struct, frozen=True):
    """A serial port of this computer.

    Attributes:
        device: Its device.
        description: The system's description of it.
    """

    device: str
    description: str


class FoundCamera(msgspec.Struct, frozen=True):
    """A camera of this computer.

    Attributes:
        source: Its source, as for ``--camera``.
        name: Its name.
    """

    source: str
    name: str


class AssistantPane(msgspec.Struct, frozen=True):
    """The contents of the assistant.

    Attributes:
        step: The current step.
        rig: The chosen built-in rig; empty if there is none.
        virtual: Whether it is used virtually.
        file: The user's rig file; empty if there is none.
        backup: The copy of the previous rig file; empty if there was none.
        opening: Whether the machine is being opened with new settings.
        board_trouble: Why no board answered, in English; empty if one did.
        ports: The serial ports of this computer.
        cameras: The cameras of this computer.
        sources: The source of each of the rig's cameras.
        camera_trouble: Why the rig's cameras cannot be used, in English; empty if they can.
        unseen: Which stickers no camera sees, in English; empty if enough are seen.
        tried: The part that was moved last, whose direction is asked for; empty if there is none.
        checked: The parts that moved as they should.
    """

    step: AssistantStep = AssistantStep.RIG
    rig: str = ""
    virtual: bool = False
    file: str = ""
    backup: str = ""
    opening: bool = False
    board_trouble: str = ""
    ports: tuple[FoundPort, ...] = ()
    cameras: tuple[FoundCamera, ...] = ()
    sources: tuple[str, ...] = ()
    camera_trouble: str = ""
    unseen: str = ""
    tried: str = ""
    checked: tuple[str, ...] = ()
