"""The generated files follow the table, and the header means what the table says."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from robot.protocol import codegen
from robot.protocol.manual_tables import manual_text
from robot.protocol.messages import MESSAGES, Action, ActionKind, Begin, HelloReply, Step
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
    with pytest.raises(ValueError):
        manual_text(text)


def test_every_message_field_and_setting_is_in_the_manual() -> None:
    text = (ROOT / codegen.MANUAL).read_text()
    for spec in MESSAGES:
        assert f"| {spec.name} |" in text
        for field in spec.fields:
            assert f"| {spec.name} | {field.offset} | `{field.name}` |" in text
        for field in spec.group.fields if spec.group else ():
            assert (
                f"| {spec.name} | {spec.layout.size + field.offset} + 6 n | `{field.name}` |"
                in text
            )
    for setting in SETTINGS:
        assert f"| {setting.key.name} |" in text


_PROGRAM = """
#include <cstdio>
#include "messages.h"
using namespace thistlebot::protocol;
int main() {
  const uint8_t payload[] = {0x34, 0x12, 1, 44, 1, 3, 5, 0xFE, 0xFF, 7, 9};
  const StepMessage step = StepMessage::read(payload);
  const Action action = Action::read(payload + StepMessage::SIZE);
  std::printf("%u %u %u %u %u %d %u %u\\n", step.number, step.begin, step.begin_value, action.kind,
              action.channel, action.value, action.speed, action.detail);
  uint8_t again[sizeof payload];
  step.write(again);
  action.write(again + StepMessage::SIZE);
  for (uint8_t byte : again) std::printf("%02x", byte);
  std::printf("\\n");
  for (unsigned size = 0; size <= 255; ++size) {
    if (payload_fits(0x10, static_cast<uint8_t>(size))) std::printf("%u ", size);
  }
  std::printf("\\n");
  HelloReplyMessage reply{0x1234, 1,  0,          1,          2, 3, 0xBEEF, 4, 1,
                          250,    32, 0x01020304, 0x01020303, 6, 32, 2, 6, 4, 3};
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
    position = Action(ActionKind.POSITION, channel=5, value=-2, speed=7, detail=9)
    step = Step(number=0x1234, begin=Begin.ANGLE, begin_value=300, actions=(position,))
    assert lines[0] == "4660 1 300 3 5 -2 7 9"
    row = next(spec for spec in MESSAGES if spec.kind is Step)
    assert row.unpack(bytes.fromhex(lines[1])) == step
    assert row.pack(step).hex() == lines[1]
    assert [int(size) for size in lines[2].split()] == [11, 17, 23, 29]
    spec = next(spec for spec in MESSAGES if spec.kind is HelloReply)
    reply = spec.unpack(bytes.fromhex(lines[3]))
    assert isinstance(reply, HelloReply)
    assert (reply.boot_id, reply.accepted, reply.executed) == (0xBEEF, 0x01020304, 0x01020303)
    assert (reply.next_seq, reply.credits, reply.motors) == (250, 32, 6)
    assert (reply.lanes, reply.servos, reply.outputs, reply.switches) == (2, 6, 4, 3)
    assert lines[4] == "11 -1 1 0"
    assert lines[5] == "1 5000 0"
