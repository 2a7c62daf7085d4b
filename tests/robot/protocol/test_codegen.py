"""The generated files follow the table, and the header means what the table says."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from robot.protocol import codegen
from robot.protocol.manual_tables import manual_text
from robot.protocol.messages import MESSAGES, HelloReply, MoveStep
from robot.protocol.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[3]


def test_generated_files_are_fresh() -> None:
    assert codegen.stale_files(ROOT) == {}, "run `python -m robot.protocol.codegen`"


def test_stale_and_missing_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    manual = tmp_path / codegen.MANUAL
    manual.write_text(
        (ROOT / codegen.MANUAL).read_text().replace("| 0x82 | ACK |", "| 0x82 | OK |")
    )
    assert set(codegen.stale_files(tmp_path)) == {manual, tmp_path / codegen.HEADER}


def test_a_lost_marker_is_named() -> None:
    text = (ROOT / codegen.MANUAL).read_text().replace("<!-- end: messages -->", "")
    with pytest.raises(ValueError, match="end: messages"):
        manual_text(text)


def test_every_message_field_and_setting_is_in_the_manual() -> None:
    text = (ROOT / codegen.MANUAL).read_text()
    for spec in MESSAGES:
        assert f"| {spec.name} |" in text
        for field in spec.fields:
            assert f"| {spec.name} | {field.offset} | `{field.name}` |" in text
    for setting in SETTINGS:
        assert f"| {setting.key.name} |" in text


_PROGRAM = """
#include <cstdio>
#include "messages.h"
using namespace thistlebot::protocol;
int main() {
  const uint8_t payload[] = {0x34, 0x12, 5, 0xFE, 0xFF, 0, 44};
  const MoveStepMessage move = MoveStepMessage::read(payload);
  std::printf("%u %u %d %u %d %u\\n", move.number, move.motor_a, move.quarters_a, move.motor_b,
              move.quarters_b, move.overlap);
  HelloReplyMessage reply{0x1234, 1,  0,          1,          2, 3, 0xBEEF, 4, 1,
                          250,    32, 0x01020304, 0x01020303, 6, 32};
  uint8_t out[HelloReplyMessage::SIZE];
  reply.write(out);
  for (uint8_t byte : out) std::printf("%02x", byte);
  SettingSpec spec;
  std::printf("\\n%d %d %d %d\\n", payload_size(0x10), payload_size(0x55), is_sequenced(0x14),
              is_sequenced(0x03));
  const bool known = setting_spec(17, spec);
  const bool unknown = setting_spec(99, spec);
  std::printf("%d %lu %d\\n", known, (unsigned long)spec.initial, unknown);
  return 0;
}
"""


@pytest.mark.skipif(
    shutil.which("g++") is None and os.environ.get("CI") != "true",
    reason="g++ is not installed: apt install g++",
)
def test_header_reads_and_writes_the_same_bytes(tmp_path: Path) -> None:
    source, program = tmp_path / "check.cpp", tmp_path / "check"
    source.write_text(_PROGRAM)
    folder = ROOT / codegen.HEADER.parent
    flags = ["-std=c++14", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
    subprocess.run(["g++", *flags, f"-I{folder}", "-o", program, source], check=True)
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split("\n")
    move = MoveStep(number=0x1234, motor_a=5, quarters_a=-2, motor_b=255, quarters_b=0, overlap=44)
    assert lines[0] == "4660 5 -2 255 0 44"
    row = next(spec for spec in MESSAGES if spec.kind is MoveStep)
    assert row.unpack(bytes((0x34, 0x12, 5, 0xFE, 0xFF, 0, 44))) == move
    spec = next(spec for spec in MESSAGES if spec.kind is HelloReply)
    reply = spec.unpack(bytes.fromhex(lines[1]))
    assert isinstance(reply, HelloReply)
    assert (reply.boot_id, reply.accepted, reply.executed) == (0xBEEF, 0x01020304, 0x01020303)
    assert (reply.next_seq, reply.credits, reply.motors) == (250, 32, 6)
    assert lines[2] == "7 -1 1 0"
    assert lines[3] == "1 5000 0"
