// Generated from robot/protocol/messages.py by `python -m robot.protocol.codegen`: do not edit.
// What a host does with the messages: the other half of core/messages.h.
#pragma once

#include "core/messages.h"

namespace thistlebot {
namespace protocol {

inline void write(const HelloMessage& message, uint8_t* to) {
    to[0] = message.protocol;
    write_u16(to + 1, message.nonce);
}

inline void write(const StepMessage& message, uint8_t* to) {
    write_u16(to + 0, message.number);
    to[2] = message.begin;
    write_u16(to + 3, message.begin_value);
}

inline void write(const Action& message, uint8_t* to) {
    to[0] = message.kind;
    to[1] = message.channel;
    write_u16(to + 2, static_cast<uint16_t>(message.value));
    to[4] = message.speed;
    to[5] = message.detail;
}

inline void write(const SetMessage& message, uint8_t* to) {
    to[0] = message.key;
    to[1] = message.motor;
    write_u32(to + 2, message.value);
}

inline void write(const EnableMessage& message, uint8_t* to) {
    to[0] = message.on;
}

inline void read(const uint8_t* from, HelloReplyMessage& message) {
    message.nonce = read_u16(from + 0);
    message.protocol = from[2];
    message.firmware_major = from[3];
    message.firmware_minor = from[4];
    message.firmware_patch = from[5];
    message.board = from[6];
    message.boot_id = read_u16(from + 7);
    message.reset_cause = from[9];
    message.state = from[10];
    message.next_seq = from[11];
    message.credits = from[12];
    message.accepted = read_u32(from + 13);
    message.executed = read_u32(from + 17);
    message.motors = from[21];
    message.queue_size = from[22];
    message.lanes = from[23];
    message.servos = from[24];
    message.outputs = from[25];
    message.switches = from[26];
}

inline void read(const uint8_t* from, AckMessage& message) {
    message.next_seq = from[0];
    message.credits = from[1];
    message.accepted = read_u32(from + 2);
    message.executed = read_u32(from + 6);
}

inline void read(const uint8_t* from, NakMessage& message) {
    message.next_seq = from[0];
    message.refused = from[1];
    message.reason = from[2];
}

inline void read(const uint8_t* from, StatusMessage& message) {
    message.state = from[0];
    message.flags = from[1];
    message.credits = from[2];
    message.accepted = read_u32(from + 3);
    message.executed = read_u32(from + 7);
    message.next_seq = from[11];
    message.fault = from[12];
    message.servos_on = from[13];
    message.no_answer = from[14];
}

inline void read(const uint8_t* from, EventMessage& message) {
    message.kind = from[0];
    message.arg = read_u16(from + 1);
    message.executed = read_u32(from + 3);
}

}  // namespace protocol
}  // namespace thistlebot
