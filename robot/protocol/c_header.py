"""The firmware's header: the messages and settings in C++14, generated from the message table."""

from collections.abc import Iterable
from enum import IntEnum, IntFlag

from robot.protocol import frames, messages
from robot.protocol.frames import INITIAL, POLYNOMIAL
from robot.protocol.messages import ENUMS, MESSAGES
from robot.protocol.schema import Delivery, Field, MessageSpec, WireType
from robot.protocol.settings import SETTINGS, Setting

_C_TYPES = {
    WireType.U8: "uint8_t",
    WireType.U16: "uint16_t",
    WireType.I16: "int16_t",
    WireType.U32: "uint32_t",
}

_PREAMBLE = """\
// Generated from robot/protocol/messages.py by `python -m robot.protocol.codegen`: do not edit.
// The messages between host and board; docs/protocol.md explains them.
#pragma once

#include <stdint.h>

namespace thistlebot {
namespace protocol {

inline uint16_t read_u16(const uint8_t* from) {
  return static_cast<uint16_t>(from[0] | (static_cast<uint16_t>(from[1]) << 8));
}

inline uint32_t read_u32(const uint8_t* from) {
  return static_cast<uint32_t>(read_u16(from)) | (static_cast<uint32_t>(read_u16(from + 2)) << 16);
}

inline void write_u16(uint8_t* to, uint16_t value) {
  to[0] = static_cast<uint8_t>(value);
  to[1] = static_cast<uint8_t>(value >> 8);
}

inline void write_u32(uint8_t* to, uint32_t value) {
  write_u16(to, static_cast<uint16_t>(value));
  write_u16(to + 2, static_cast<uint16_t>(value >> 16));
}
"""


_HOST_PREAMBLE = """\
// Generated from robot/protocol/messages.py by `python -m robot.protocol.codegen`: do not edit.
// What a host does with the messages: the other half of core/messages.h.
#pragma once

#include "core/messages.h"

namespace thistlebot {
namespace protocol {
"""


def _constants() -> list[str]:
    """Write the sizes and other constants."""
    numbers = [
        ("uint8_t", "PROTOCOL_VERSION", str(messages.PROTOCOL_VERSION), ""),
        ("uint32_t", "BAUD", f"{messages.BAUD}UL", ""),
        ("uint8_t", "MAX_PAYLOAD", str(messages.MAX_PAYLOAD), ""),
        ("uint8_t", "HEADER_SIZE", str(frames.HEADER_SIZE), "type, sequence number"),
        ("uint8_t", "CRC_SIZE", str(frames.CRC_SIZE), ""),
        ("uint8_t", "MAX_PACKET", str(frames.MAX_PACKET), "header, payload, CRC"),
        ("uint8_t", "MAX_ENCODED", str(frames.MAX_ENCODED), "after COBS, without delimiters"),
        ("uint8_t", "WINDOW", str(messages.WINDOW), "unacknowledged messages of a host, at most"),
        ("uint8_t", "WINDOW_BYTES", str(messages.WINDOW_BYTES), "of their frames"),
        ("uint8_t", "MAX_MOTORS", str(messages.MAX_MOTORS), ""),
        ("uint8_t", "NO_MOTOR", f"0x{messages.NO_MOTOR:02X}", "a global setting; one of two"),
        ("uint8_t", "MAX_ACTIONS", str(messages.MAX_ACTIONS), "in a step"),
        ("uint8_t", "QUEUE_PLACES", str(messages.QUEUE_PLACES), ""),
        ("uint8_t", "MOTORS_TOGETHER", str(messages.MOTORS_TOGETHER), "that one step can turn"),
        ("uint8_t", "SERVO_FRAME_MS", str(messages.SERVO_FRAME_MS), ""),
        ("uint8_t", "DWELL_MS", str(messages.DWELL_MS), "unit of a dwell and of blinking"),
        ("uint16_t", "SHORTEST_PULSE_US", str(messages.SHORTEST_PULSE_US), "of a servo"),
        ("uint16_t", "LONGEST_PULSE_US", str(messages.LONGEST_PULSE_US), ""),
        ("uint16_t", "LONGEST_WAIT_MS", str(messages.LONGEST_WAIT_MS), ""),
        ("uint8_t", "STALL", f"0x{messages.STALL:02X}", "in HOME: the motor's stall ends it"),
        ("uint16_t", "CRC_POLYNOMIAL", f"0x{POLYNOMIAL:04X}", "CRC-16/CCITT-FALSE"),
        ("uint16_t", "CRC_INITIAL", f"0x{INITIAL:04X}", '"123456789" gives 0x29B1'),
    ]
    lines = [""]
    for c_type, name, value, about in numbers:
        comment = f"  // {about}" if about else ""
        lines.append(f"constexpr {c_type} {name} = {value};{comment}")
    for name, frame in (
        ("ABORT_FRAME", frames.ABORT_FRAME),
        ("STATUS_REQUEST_FRAME", frames.STATUS_REQUEST_FRAME),
    ):
        data = ", ".join(f"0x{byte:02X}" for byte in frame)
        lines += [
            "",
            "// With both delimiters: the receive interrupt compares it byte by byte.",
            f"constexpr uint8_t {name}_SIZE = {len(frame)};",
            f"constexpr uint8_t {name}[{name}_SIZE] = {{{data}}};",
        ]
    return lines


def _enum(kind: type[IntEnum] | type[IntFlag]) -> list[str]:
    """Write one enumeration."""
    about = (kind.__doc__ or "").partition("\n")[0]
    members = [f"  {member.name} = {member.value}," for member in kind]
    return ["", f"// {about}", f"enum class {kind.__name__} : uint8_t {{", *members, "};"]


def _message_types() -> list[str]:
    """Write the enumeration of the message types, and the functions that classify a type."""
    rows = [f"  {spec.name} = 0x{spec.code:02X},  // {spec.way.value}" for spec in MESSAGES]
    sequenced = [spec for spec in MESSAGES if spec.way is Delivery.SEQUENCED]
    to_board = [spec for spec in MESSAGES if spec.way is not Delivery.TO_HOST]
    return [
        *("", "enum class MessageType : uint8_t {", *rows, "};", ""),
        "// Does the board count this type and answer it with ACK or NAK?",
        *_switch("inline bool is_sequenced(uint8_t type)", [*map(_case, sequenced), _YES], "false"),
        "",
        "// Can a message from the host of this type have a payload of this size?",
        *_switch(
            "inline bool payload_fits(uint8_t type, uint8_t size)",
            (f"{_case(spec)}\n      return {_size_test(spec)};" for spec in to_board),
            "false",
        ),
    ]


_YES = "      return true;"


def _case(spec: MessageSpec) -> str:
    return f"    case static_cast<uint8_t>(MessageType::{spec.name}):"


def _size_test(spec: MessageSpec) -> str:
    least, most = spec.sizes[0], spec.sizes[-1]
    if spec.part is None:
        return f"size == {least}"
    step = spec.part.size
    return f"size >= {least} && size <= {most} && (size - {least}) % {step} == 0"


def _switch(head: str, cases: Iterable[str], otherwise: str) -> list[str]:
    """Write a function that distinguishes types."""
    return [
        *(f"{head} {{", "  switch (type) {", *cases),
        *("    default:", f"      return {otherwise};", "  }", "}"),
    ]


_READ = {
    WireType.U8: "from[{0.offset}]",
    WireType.U16: "read_u16(from + {0.offset})",
    WireType.I16: "static_cast<int16_t>(read_u16(from + {0.offset}))",
    WireType.U32: "read_u32(from + {0.offset})",
}
"""Expressions that read a field of the payload."""
_WRITE = {
    WireType.U8: "to[{0.offset}] = {1}{0.name};",
    WireType.U16: "write_u16(to + {0.offset}, {1}{0.name});",
    WireType.I16: "write_u16(to + {0.offset}, static_cast<uint16_t>({1}{0.name}));",
    WireType.U32: "write_u32(to + {0.offset}, {1}{0.name});",
}
"""Statements that write a field of the payload."""


def _class_name(spec: MessageSpec) -> str:
    return f"{spec.kind.__name__}Message"


def _struct(spec: MessageSpec) -> list[str]:
    """Write one message as a struct; the board only reads those of the host, and writes its own."""
    kind = f"  static constexpr MessageType TYPE = MessageType::{spec.name};"
    about = f"// {spec.name}: {spec.about}"
    lines: list[str] = []
    for name, found, size in _records(spec):
        lines += ["", about, f"struct {name} {{", *([] if lines else [kind])]
        lines.append(f"  static constexpr uint8_t SIZE = {size};")
        for field in found:
            comment = f"  // {field.meaning}" if field.meaning else ""
            lines.append(f"  {_C_TYPES[field.wire]} {field.name};{comment}")
        if found and spec.way is Delivery.TO_HOST:
            lines += ["", "  void write(uint8_t* to) const {", *_writing(found, ""), "  }"]
        elif found:
            lines += ["", f"  static {name} read(const uint8_t* from) {{", f"    {name} message;"]
            lines += [*_reading(found), "    return message;", "  }"]
        lines.append("};")
        about = f"// Part of {spec.name}: 1 to {spec.most} follow."
    return lines


def _records(spec: MessageSpec) -> Iterable[tuple[str, tuple[Field, ...], int]]:
    """Yield the name, the fields and the size of a message's structs."""
    yield _class_name(spec), spec.head.fields, spec.head.size
    if spec.part is not None:
        yield spec.part.kind.__name__, spec.part.fields, spec.part.size


def _reading(found: tuple[Field, ...]) -> list[str]:
    return [f"    message.{field.name} = {_READ[field.wire].format(field)};" for field in found]


def _writing(found: tuple[Field, ...], of: str) -> list[str]:
    return [f"    {_WRITE[field.wire].format(field, of)}" for field in found]


def host_header_text() -> str:
    """Write what a host does with the messages, for the tests of the firmware."""
    lines = [_HOST_PREAMBLE.rstrip()]
    for spec in MESSAGES:
        for name, found, _ in _records(spec):
            if found and spec.way is Delivery.TO_HOST:
                lines += ["", f"inline void read(const uint8_t* from, {name}& message) {{"]
                lines += [*_reading(found), "}"]
            elif found:
                lines += ["", f"inline void write(const {name}& message, uint8_t* to) {{"]
                lines += [*_writing(found, "message."), "}"]
    return "\n".join([*lines, "", "}  // namespace protocol", "}  // namespace thistlebot", ""])


def _settings() -> list[str]:
    """Write the settings with their ranges and initial values."""
    lines = _enum(Setting)
    for row in SETTINGS:
        of_row = (("MINIMUM", row.minimum), ("MAXIMUM", row.maximum), ("INITIAL", row.default))
        lines += ["", f"// {row.about}"]
        lines += [
            f"constexpr uint32_t {name}_{row.key.name} = {value}UL;" for name, value in of_row
        ]
    return lines


def header_text() -> str:
    """Write the C++14 header; no struct is mapped onto a buffer, so it works on every compiler."""
    lines = [_PREAMBLE.rstrip(), *_constants(), *_message_types()]
    for kind in ENUMS:
        lines += _enum(kind)
    for spec in MESSAGES:
        lines += _struct(spec)
    lines += _settings()
    return "\n".join([*lines, "", "}  // namespace protocol", "}  // namespace thistlebot", ""])
