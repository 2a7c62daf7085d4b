// Recognises the two constant frames byte for byte, in the receive interrupt.
//
// ABORT must work while the parser is stuck or the receive ring is full, so the interrupt itself
// compares each byte with both frames as it arrives. Both begin alike: one walks along ABORT's bytes,
// and at the fork, where STATUS_REQUEST has another byte, over to the rest of that frame.
#pragma once

#include <stdint.h>

#include "messages.h"

namespace thistlebot {

// Its field and the constants are used by the assembler of avr/serial_interrupts.cpp, which does what
// `feed` does.
struct OutOfBand {
  static constexpr uint8_t NOTHING = 0;
  static constexpr uint8_t ABORT = 1;
  static constexpr uint8_t STATUS_REQUEST = 2;

  // States: LOST until the next delimiter, else the place in EXPECTED of the byte that comes next.
  static constexpr uint8_t LOST = 0;
  static constexpr uint8_t FIRST = 1;
  static constexpr uint8_t FORK = 2;
  static constexpr uint8_t AFTER_FORK = protocol::ABORT_FRAME_SIZE;
  static constexpr uint8_t ABORT_END = AFTER_FORK - 1;  // only the delimiter is missing
  static constexpr uint8_t STATUS_END = AFTER_FORK + protocol::STATUS_REQUEST_FRAME_SIZE - 4;
  static constexpr uint8_t FORK_BYTE = protocol::STATUS_REQUEST_FRAME[FORK];
  static_assert(protocol::ABORT_FRAME[FIRST] == protocol::STATUS_REQUEST_FRAME[FIRST] &&
                    protocol::ABORT_FRAME[FORK] != FORK_BYTE,
                "the frames begin alike and part at the second byte");

  uint8_t state = LOST;

  // The frame that this byte completes: NOTHING, ABORT or STATUS_REQUEST.
  inline uint8_t feed(uint8_t byte);
};

// An end expects the delimiter's value, which no byte inside a frame has.
const uint8_t EXPECTED[OutOfBand::STATUS_END + 1] = {
    0,
    protocol::ABORT_FRAME[1],
    protocol::ABORT_FRAME[2],
    protocol::ABORT_FRAME[3],
    protocol::ABORT_FRAME[4],
    protocol::ABORT_FRAME[5],
    0,
    protocol::STATUS_REQUEST_FRAME[3],
    protocol::STATUS_REQUEST_FRAME[4],
    protocol::STATUS_REQUEST_FRAME[5],
    0,
};

inline uint8_t OutOfBand::feed(uint8_t byte) {
  const uint8_t was = state;
  if (byte == 0) {
    state = FIRST;
    return was == ABORT_END ? ABORT : was == STATUS_END ? STATUS_REQUEST : NOTHING;
  }
  if (was == LOST) return NOTHING;
  if (byte == EXPECTED[was]) {
    state = static_cast<uint8_t>(was + 1);
  } else {
    state = was == FORK && byte == FORK_BYTE ? AFTER_FORK : LOST;
  }
  return NOTHING;
}

}  // namespace thistlebot
