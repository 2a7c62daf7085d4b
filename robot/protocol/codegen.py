"""Generate files from the message table: the firmware's header and the tables of the manual.

`python -m robot.protocol.codegen` writes both; `--check` only reports whether they are stale.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from robot.protocol import frames, messages
from robot.protocol.c_header import header_text, host_header_text
from robot.protocol.link_states import TRANSITIONS, LinkState
from robot.protocol.messages import ENUMS, MESSAGES
from robot.protocol.schema import Field
from robot.protocol.settings import SETTINGS

BEGIN, END = "<!-- begin: {} (generated) -->", "<!-- end: {} -->"


def _messages_table() -> Iterable[str]:
    yield "| type | message | way | bytes | payload | what it says |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for spec in MESSAGES:
        payload = ", ".join(map(_typed_name, spec.head.fields))
        size = str(spec.head.size)
        if spec.part is not None:
            size += f" + 1…{spec.most} × {spec.part.size}"
            payload += f", 1 to {spec.most} times: "
            payload += ", ".join(map(_typed_name, spec.part.fields))
        yield (
            f"| 0x{spec.code:02X} | {spec.name} | {spec.way.value} | {size} "
            f"| {payload or 'none'} | {spec.about} |"
        )


def _typed_name(field: Field) -> str:
    return f"`{field.name}` {field.wire.name.lower()}"


def _enums_table() -> Iterable[str]:
    yield "| enumeration | values |"
    yield "| --- | --- |"
    for kind in ENUMS:
        values = ", ".join(f"{member.value} {member.name}" for member in kind)
        yield f"| {kind.__name__} | {values} |"


def _settings_table() -> Iterable[str]:
    yield "| key | setting | of | range | initial | meaning |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in SETTINGS:
        owner = "each motor" if row.per_motor else "the board"
        yield (
            f"| {row.key.value} | {row.key.name} | {owner} | {row.minimum}–{row.maximum} "
            f"| {row.default} | {row.about} |"
        )


def _constants_table() -> Iterable[str]:
    yield "| constant | value |"
    yield "| --- | --- |"
    yield f"| protocol version | {messages.PROTOCOL_VERSION} |"
    yield f"| baud rate | {messages.BAUD}, 8N1 |"
    yield f"| longest payload | {messages.MAX_PAYLOAD} bytes |"
    yield f"| unacknowledged messages of a host, at most | {messages.WINDOW} |"
    yield f"| bytes of their frames, at most | {messages.WINDOW_BYTES} |"
    yield f"| places of the queue | {messages.QUEUE_PLACES} |"
    yield f"| frame of ABORT | `{frames.ABORT_FRAME.hex(' ')}` |"
    yield f"| frame of STATUS_REQUEST | `{frames.STATUS_REQUEST_FRAME.hex(' ')}` |"


def _link_diagram() -> Iterable[str]:
    yield "```mermaid"
    yield "stateDiagram-v2"
    yield "    [*] --> CLOSED"
    signals: dict[tuple[LinkState, LinkState], list[str]] = {}
    for (state, signal), after in TRANSITIONS.items():
        if state is not after:
            signals.setdefault((state, after), []).append(signal.name)
    for (state, after), names in signals.items():
        yield f"    {state.name} --> {after.name}: {', '.join(names)}"
    yield "```"


def manual_text(manual: str) -> str:
    """Replace the generated tables of the manual, which are between markers.

    Raises:
        ValueError: A marker is missing.
    """
    tables = {
        "constants": _constants_table(),
        "messages": _messages_table(),
        "enumerations": _enums_table(),
        "settings": _settings_table(),
        "link states": _link_diagram(),
    }
    for name, rows in tables.items():
        begin, end = BEGIN.format(name), END.format(name)
        before, found_begin, rest = manual.partition(begin)
        _, found_end, after = rest.partition(end)
        if not (found_begin and found_end):
            raise ValueError(f"docs/protocol.md lacks the marker {begin} or {end}; put it back")
        manual = "\n".join([before + begin, *rows, end + after])
    return manual


HEADER = Path("firmware/thistlebot/src/core/messages.h")
HOST_HEADER = Path("firmware/tests/host_messages.h")
MANUAL = Path("docs/protocol.md")


def stale_files(root: Path) -> dict[Path, str]:
    """Compare the generated files with the table.

    Returns:
        The new text of each stale or missing file.
    """
    manual = root / MANUAL
    wanted = {
        root / HEADER: header_text(),
        root / HOST_HEADER: host_header_text(),
        manual: manual_text(manual.read_text(encoding="utf-8")),
    }
    return {
        path: text
        for path, text in wanted.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }


def main(arguments: list[str] | None = None) -> int:
    """Write the generated files, or check them.

    Returns:
        0, or 1 if a file is stale and `--check` was given.
    """
    parser = argparse.ArgumentParser(prog="robot.protocol.codegen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only report which files are stale")
    options = parser.parse_args(arguments)
    root = Path(__file__).resolve().parents[2]
    stale = stale_files(root)
    for path, text in stale.items():
        name = path.relative_to(root)
        if options.check:
            sys.stdout.write(f"{name} is stale: run `python -m robot.protocol.codegen`\n")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name} written\n")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
