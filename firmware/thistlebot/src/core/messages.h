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

constexpr uint8_t PROTOCOL_VERSION = 5;
constexpr uint32_t BAUD = 250000UL;
constexpr uint8_t MAX_PAYLOAD = 32;
constexpr uint8_t HEADER_SIZE = 2;  // type, sequence number
constexpr uint8_t CRC_SIZE = 2;
constexpr uint8_t MAX_PACKET = 36;  // header, payload, CRC
constexpr uint8_t MAX_ENCODED = 37;  // after COBS, without delimiters
constexpr uint8_t WINDOW = 8;  // unacknowledged messages of a host, at most
constexpr uint8_t WINDOW_BYTES = 120;  // of their frames
constexpr uint8_t MAX_MOTORS = 6;
constexpr uint8_t NO_MOTOR = 0xFF;  // a global setting; one of two
constexpr uint8_t MAX_ACTIONS = 4;  // in a step
constexpr uint8_t QUEUE_PLACES = 64;
constexpr uint8_t MOTORS_TOGETHER = 2;  // that one step can turn
constexpr uint8_t SERVO_FRAME_MS = 20;
constexpr uint8_t DWELL_MS = 10;  // unit of a dwell and of blinking
constexpr uint16_t SHORTEST_PULSE_US = 500;  // of a servo
constexpr uint16_t LONGEST_PULSE_US = 2500;
constexpr uint16_t LONGEST_WAIT_MS = 10000;
constexpr uint8_t STALL = 0xFF;  // in HOME: the motor's stall ends it
constexpr uint16_t CRC_POLYNOMIAL = 0x1021;  // CRC-16/CCITT-FALSE
constexpr uint16_t CRC_INITIAL = 0xFFFF;  // "123456789" gives 0x29B1

// With both delimiters: the receive interrupt compares it byte by byte.
constexpr uint8_t ABORT_FRAME_SIZE = 7;
constexpr uint8_t ABORT_FRAME[ABORT_FRAME_SIZE] = {0x00, 0x02, 0x03, 0x03, 0x5C, 0x48, 0x00};

// With both delimiters: the receive interrupt compares it byte by byte.
constexpr uint8_t STATUS_REQUEST_FRAME_SIZE = 7;
constexpr uint8_t STATUS_REQUEST_FRAME[STATUS_REQUEST_FRAME_SIZE] = {0x00, 0x02, 0x02, 0x03, 0x6D, 0x7B, 0x00};

enum class MessageType : uint8_t {
  HELLO = 0x01,  // host → board, unsequenced
  STATUS_REQUEST = 0x02,  // host → board, unsequenced
  ABORT = 0x03,  // host → board, unsequenced
  STEP = 0x10,  // host → board, sequenced
  SET = 0x11,  // host → board, sequenced
  ENABLE = 0x13,  // host → board, sequenced
  CLEAR = 0x14,  // host → board, sequenced
  HELLO_REPLY = 0x81,  // board → host
  ACK = 0x82,  // board → host
  NAK = 0x83,  // board → host
  STATUS = 0x84,  // board → host
  EVENT = 0x86,  // board → host
};

// Does the board count this type and answer it with ACK or NAK?
inline bool is_sequenced(uint8_t type) {
  switch (type) {
    case static_cast<uint8_t>(MessageType::STEP):
    case static_cast<uint8_t>(MessageType::SET):
    case static_cast<uint8_t>(MessageType::ENABLE):
    case static_cast<uint8_t>(MessageType::CLEAR):
      return true;
    default:
      return false;
  }
}

// Can a message from the host of this type have a payload of this size?
inline bool payload_fits(uint8_t type, uint8_t size) {
  switch (type) {
    case static_cast<uint8_t>(MessageType::HELLO):
      return size == 3;
    case static_cast<uint8_t>(MessageType::STATUS_REQUEST):
      return size == 0;
    case static_cast<uint8_t>(MessageType::ABORT):
      return size == 0;
    case static_cast<uint8_t>(MessageType::STEP):
      return size >= 11 && size <= 29 && (size - 11) % 6 == 0;
    case static_cast<uint8_t>(MessageType::SET):
      return size == 6;
    case static_cast<uint8_t>(MessageType::ENABLE):
      return size == 1;
    case static_cast<uint8_t>(MessageType::CLEAR):
      return size == 0;
    default:
      return false;
  }
}

// What the board is doing.
enum class State : uint8_t {
  DISABLED = 0,
  IDLE = 1,
  MOVING = 2,
  STOPPING = 3,
  ABORTED = 4,
  ESTOP = 5,
};

// Bits of STATUS.flags.
enum class Flag : uint8_t {
  ALIGNMENT_UNKNOWN = 1,
  BUTTON_DOWN = 2,
  ESTOP_DOWN = 4,
  CUT_SHORT = 8,
};

// Why the board stopped; kept until CLEAR.
enum class Fault : uint8_t {
  NONE = 0,
  HOST_ABORT = 1,
  HOST_SILENT = 2,
  ESTOP = 3,
  STALL = 4,
  BOARD_ERROR = 5,
  NOT_FOUND = 6,
};

// Why the board refused a message.
enum class Reason : uint8_t {
  NO_CREDIT = 1,
  NOT_ENABLED = 2,
  ABORTED = 3,
  ESTOP = 4,
  WRONG_NUMBER = 5,
  OUT_OF_RANGE = 6,
  UNKNOWN_KEY = 7,
  BUSY = 8,
  UNKNOWN_TYPE = 9,
};

// What an EVENT reports.
enum class EventKind : uint8_t {
  BUTTON = 1,
  STALL = 2,
  ESTOP = 3,
  QUEUE_EMPTY = 4,
  ABORTED = 5,
  RELEASED = 6,
};

// What made the board start.
enum class ResetCause : uint8_t {
  UNKNOWN = 0,
  POWER_ON = 1,
  RESET_PIN = 2,
  BROWN_OUT = 3,
  WATCHDOG = 4,
};

// The kind of board that answers.
enum class BoardKind : uint8_t {
  VIRTUAL = 0,
  UNO = 1,
  NANO = 2,
  MEGA = 3,
  HOST = 4,
  CNC_SHIELD = 5,
  RAMPS = 6,
  MKS_GEN_L = 7,
  LOCAL = 8,
  GCODE = 9,
};

// Values of the setting STALL_INPUT: how the drivers' stall outputs are wired.
enum class StallInput : uint8_t {
  NONE = 0,
  SHARED = 1,
  EACH = 2,
};

// What an action does with its channel.
enum class ActionKind : uint8_t {
  TURN = 0,
  MOVE_BY = 1,
  MOVE_TO = 2,
  POSITION = 3,
  HOME = 4,
  WAIT = 5,
  OUTPUT = 6,
};

// When a step may begin, relative to the previous step.
enum class Begin : uint8_t {
  AFTER_END = 0,
  ANGLE = 1,
};

// Values of an OUTPUT.
enum class OutputMode : uint8_t {
  OFF = 0,
  ON = 1,
};

// HELLO: Asks which board is there. Answered by HELLO_REPLY in every state; changes nothing.
struct HelloMessage {
  static constexpr MessageType TYPE = MessageType::HELLO;
  static constexpr uint8_t SIZE = 3;
  uint8_t protocol;  // the host's protocol version
  uint16_t nonce;  // echoed, to tell old answers from this one

  static HelloMessage read(const uint8_t* from) {
    HelloMessage message;
    message.protocol = from[0];
    message.nonce = read_u16(from + 1);
    return message;
  }
};

// STATUS_REQUEST: Answered by STATUS. The frame is constant and recognised in the receive interrupt.
struct StatusRequestMessage {
  static constexpr MessageType TYPE = MessageType::STATUS_REQUEST;
  static constexpr uint8_t SIZE = 0;
};

// ABORT: Stop as each action defines, and drop the queue. The frame is constant, too.
struct AbortMessage {
  static constexpr MessageType TYPE = MessageType::ABORT;
  static constexpr uint8_t SIZE = 0;
};

// STEP: One to four actions that run together; queued.
struct StepMessage {
  static constexpr MessageType TYPE = MessageType::STEP;
  static constexpr uint8_t SIZE = 5;
  uint16_t number;  // low half of accepted + 1; anything else is refused
  uint8_t begin;  // when it may begin
  uint16_t begin_value;  // ANGLE, of plain turns: step pulses before the end of the previous turn; else 0

  static StepMessage read(const uint8_t* from) {
    StepMessage message;
    message.number = read_u16(from + 0);
    message.begin = from[2];
    message.begin_value = read_u16(from + 3);
    return message;
  }
};

// Part of STEP: 1 to 4 follow.
struct Action {
  static constexpr uint8_t SIZE = 6;
  uint8_t kind;  // kind of action
  uint8_t channel;  // number of a motor, servo or output; 0 in WAIT
  int16_t value;  // quarters, steps, microseconds, milliseconds or an OutputMode
  uint8_t speed;  // POSITION: us per frame; 0: no limit
  uint8_t detail;  // POSITION: dwell, unit 10 ms; HOME: switch, 0xFF: stall

  static Action read(const uint8_t* from) {
    Action message;
    message.kind = from[0];
    message.channel = from[1];
    message.value = static_cast<int16_t>(read_u16(from + 2));
    message.speed = from[4];
    message.detail = from[5];
    return message;
  }
};

// SET: Write a setting; refused while the board moves.
struct SetMessage {
  static constexpr MessageType TYPE = MessageType::SET;
  static constexpr uint8_t SIZE = 6;
  uint8_t key;  // a Setting
  uint8_t motor;  // channel 0..5, or 0xFF for a global setting
  uint32_t value;  // within the setting's range

  static SetMessage read(const uint8_t* from) {
    SetMessage message;
    message.key = from[0];
    message.motor = from[1];
    message.value = read_u32(from + 2);
    return message;
  }
};

// ENABLE: Switch the motor current; on confirms that every face is at a detent.
struct EnableMessage {
  static constexpr MessageType TYPE = MessageType::ENABLE;
  static constexpr uint8_t SIZE = 1;
  uint8_t on;  // 0 or 1

  static EnableMessage read(const uint8_t* from) {
    EnableMessage message;
    message.on = from[0];
    return message;
  }
};

// CLEAR: Leave ABORTED for IDLE (DISABLED if the current was off), or ESTOP for DISABLED.
struct ClearMessage {
  static constexpr MessageType TYPE = MessageType::CLEAR;
  static constexpr uint8_t SIZE = 0;
};

// HELLO_REPLY: Identity and status of the board. The first two fields never change between versions.
struct HelloReplyMessage {
  static constexpr MessageType TYPE = MessageType::HELLO_REPLY;
  static constexpr uint8_t SIZE = 27;
  uint16_t nonce;  // from HELLO
  uint8_t protocol;  // the board's protocol version
  uint8_t firmware_major;  // version of the firmware
  uint8_t firmware_minor;
  uint8_t firmware_patch;
  uint8_t board;  // which board
  uint16_t boot_id;  // a different number after every start
  uint8_t reset_cause;  // cause of the last start
  uint8_t state;  // what the board is doing
  uint8_t next_seq;  // the sequence number that the board expects
  uint8_t credits;  // free places in the queue
  uint32_t accepted;  // steps accepted since the start
  uint32_t executed;  // steps completed since the start
  uint8_t motors;  // motors that the board drives
  uint8_t queue_size;  // places in the queue
  uint8_t lanes;  // motors that it turns at once
  uint8_t servos;  // servos that it drives
  uint8_t outputs;  // outputs that it switches
  uint8_t switches;  // switches that it reads, for HOME

  void write(uint8_t* to) const {
    write_u16(to + 0, nonce);
    to[2] = protocol;
    to[3] = firmware_major;
    to[4] = firmware_minor;
    to[5] = firmware_patch;
    to[6] = board;
    write_u16(to + 7, boot_id);
    to[9] = reset_cause;
    to[10] = state;
    to[11] = next_seq;
    to[12] = credits;
    write_u32(to + 13, accepted);
    write_u32(to + 17, executed);
    to[21] = motors;
    to[22] = queue_size;
    to[23] = lanes;
    to[24] = servos;
    to[25] = outputs;
    to[26] = switches;
  }
};

// ACK: All messages before next_seq were accepted; also sent after each completed step.
struct AckMessage {
  static constexpr MessageType TYPE = MessageType::ACK;
  static constexpr uint8_t SIZE = 10;
  uint8_t next_seq;  // the sequence number that the board expects
  uint8_t credits;  // free places in the queue
  uint32_t accepted;  // steps accepted since the start
  uint32_t executed;  // steps completed since the start

  void write(uint8_t* to) const {
    to[0] = next_seq;
    to[1] = credits;
    write_u32(to + 2, accepted);
    write_u32(to + 6, executed);
  }
};

// NAK: The message with the expected number was refused; the expected number does not advance.
struct NakMessage {
  static constexpr MessageType TYPE = MessageType::NAK;
  static constexpr uint8_t SIZE = 3;
  uint8_t next_seq;  // number of the refused message
  uint8_t refused;  // its type, to tell old refusals from new ones
  uint8_t reason;  // why it was refused

  void write(uint8_t* to) const {
    to[0] = next_seq;
    to[1] = refused;
    to[2] = reason;
  }
};

// STATUS: The complete status of the board.
struct StatusMessage {
  static constexpr MessageType TYPE = MessageType::STATUS;
  static constexpr uint8_t SIZE = 15;
  uint8_t state;  // what the board is doing
  uint8_t flags;  // bits of Flag
  uint8_t credits;  // free places in the queue
  uint32_t accepted;  // steps accepted since the start
  uint32_t executed;  // steps completed since the start
  uint8_t next_seq;  // the sequence number that the board expects
  uint8_t fault;  // why the board stopped
  uint8_t servos_on;  // servos that have pulses, one bit each
  uint8_t no_answer;  // BOARD_ERROR: motors whose drivers do not answer, one bit each; else 0

  void write(uint8_t* to) const {
    to[0] = state;
    to[1] = flags;
    to[2] = credits;
    write_u32(to + 3, accepted);
    write_u32(to + 7, executed);
    to[11] = next_seq;
    to[12] = fault;
    to[13] = servos_on;
    to[14] = no_answer;
  }
};

// EVENT: Something happened; not acknowledged, because STATUS reports the same.
struct EventMessage {
  static constexpr MessageType TYPE = MessageType::EVENT;
  static constexpr uint8_t SIZE = 7;
  uint8_t kind;  // what happened
  uint16_t arg;  // STALL: the motor, 0xFF for one of two; ABORTED: the Fault; else 0
  uint32_t executed;  // steps completed since the start

  void write(uint8_t* to) const {
    to[0] = kind;
    write_u16(to + 1, arg);
    write_u32(to + 3, executed);
  }
};

// The number of a setting on the wire.
enum class Setting : uint8_t {
  STEPS_PER_QUARTER = 1,
  RATE_STEPS_S = 2,
  ACCELERATION_STEPS_S2 = 3,
  DIRECTION = 4,
  DRIVER_ADDRESS = 5,
  DRIVER_CURRENT_MA = 6,
  DRIVER_MODE = 7,
  DRIVER_MICROSTEPS = 8,
  STALL_THRESHOLD = 9,
  GAP_US = 16,
  HOST_TIMEOUT_MS = 17,
  IDLE_TIMEOUT_MS = 18,
  ENABLE_POLARITY = 19,
  STALL_INPUT = 20,
  ENABLE_SETTLE_MS = 21,
};

// step pulses of a quarter turn of the face
constexpr uint32_t MINIMUM_STEPS_PER_QUARTER = 4UL;
constexpr uint32_t MAXIMUM_STEPS_PER_QUARTER = 1600UL;
constexpr uint32_t INITIAL_STEPS_PER_QUARTER = 400UL;

// highest step rate
constexpr uint32_t MINIMUM_RATE_STEPS_S = 50UL;
constexpr uint32_t MAXIMUM_RATE_STEPS_S = 50000UL;
constexpr uint32_t INITIAL_RATE_STEPS_S = 17391UL;

// acceleration; with the defaults a quarter turn takes 40.0 ms and a half turn 63.0 ms
constexpr uint32_t MINIMUM_ACCELERATION_STEPS_S2 = 1000UL;
constexpr uint32_t MAXIMUM_ACCELERATION_STEPS_S2 = 20000000UL;
constexpr uint32_t INITIAL_ACCELERATION_STEPS_S2 = 1023018UL;

// 0: DIR high turns the face clockwise; 1: reversed
constexpr uint32_t MINIMUM_DIRECTION = 0UL;
constexpr uint32_t MAXIMUM_DIRECTION = 1UL;
constexpr uint32_t INITIAL_DIRECTION = 0UL;

// driver on a UART: 1 + its address + 4 times its line; 0: the driver has no UART
constexpr uint32_t MINIMUM_DRIVER_ADDRESS = 0UL;
constexpr uint32_t MAXIMUM_DRIVER_ADDRESS = 8UL;
constexpr uint32_t INITIAL_DRIVER_ADDRESS = 0UL;

// RMS current of a UART driver with 0.11 Ω sense resistors
constexpr uint32_t MINIMUM_DRIVER_CURRENT_MA = 50UL;
constexpr uint32_t MAXIMUM_DRIVER_CURRENT_MA = 1768UL;
constexpr uint32_t INITIAL_DRIVER_CURRENT_MA = 800UL;

// mode of a UART driver; 0: StealthChop, 1: SpreadCycle
constexpr uint32_t MINIMUM_DRIVER_MODE = 0UL;
constexpr uint32_t MAXIMUM_DRIVER_MODE = 1UL;
constexpr uint32_t INITIAL_DRIVER_MODE = 0UL;

// microsteps of a UART driver, as a power of two: 3 is 8
constexpr uint32_t MINIMUM_DRIVER_MICROSTEPS = 0UL;
constexpr uint32_t MAXIMUM_DRIVER_MICROSTEPS = 8UL;
constexpr uint32_t INITIAL_DRIVER_MICROSTEPS = 3UL;

// stall threshold of a UART driver: higher values report sooner; 0: never
constexpr uint32_t MINIMUM_STALL_THRESHOLD = 0UL;
constexpr uint32_t MAXIMUM_STALL_THRESHOLD = 255UL;
constexpr uint32_t INITIAL_STALL_THRESHOLD = 0UL;

// minimum pause between the steps of two moves; at most 25 µs longer
constexpr uint32_t MINIMUM_GAP_US = 16UL;
constexpr uint32_t MAXIMUM_GAP_US = 1000000UL;
constexpr uint32_t INITIAL_GAP_US = 1000UL;

// silence of the host after which the board ends its turn and drops the rest; 0: never
constexpr uint32_t MINIMUM_HOST_TIMEOUT_MS = 0UL;
constexpr uint32_t MAXIMUM_HOST_TIMEOUT_MS = 600000UL;
constexpr uint32_t INITIAL_HOST_TIMEOUT_MS = 5000UL;

// rest after which the motor current is switched off; 0: never
constexpr uint32_t MINIMUM_IDLE_TIMEOUT_MS = 0UL;
constexpr uint32_t MAXIMUM_IDLE_TIMEOUT_MS = 3600000UL;
constexpr uint32_t INITIAL_IDLE_TIMEOUT_MS = 60000UL;

// 0: the enable pin is low when on; 1: high
constexpr uint32_t MINIMUM_ENABLE_POLARITY = 0UL;
constexpr uint32_t MAXIMUM_ENABLE_POLARITY = 1UL;
constexpr uint32_t INITIAL_ENABLE_POLARITY = 0UL;

// a StallInput: a stall ends the running turn; EACH needs a Mega's separate lines
constexpr uint32_t MINIMUM_STALL_INPUT = 0UL;
constexpr uint32_t MAXIMUM_STALL_INPUT = 2UL;
constexpr uint32_t INITIAL_STALL_INPUT = 0UL;

// pause between switching the motor current on and the first step
constexpr uint32_t MINIMUM_ENABLE_SETTLE_MS = 0UL;
constexpr uint32_t MAXIMUM_ENABLE_SETTLE_MS = 1000UL;
constexpr uint32_t INITIAL_ENABLE_SETTLE_MS = 0UL;

}  // namespace protocol
}  // namespace thistlebot
