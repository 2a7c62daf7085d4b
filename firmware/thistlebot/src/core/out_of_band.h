// Recognises the two constant frames byte for byte, in the receive interrupt.
//
// ABORT must work while the parser is stuck or the receive ring is full, so the interrupt itself
// compares each byte with both frames as it arrives; a mismatch costs one comparison a byte.
#pragma once

#include <stdint.h>

#include "messages.h"

namespace thistlebot {

class OutOfBand {
 public:
  static constexpr uint8_t NOTHING = 0;
  static constexpr uint8_t ABORT = 1;
  static constexpr uint8_t STATUS_REQUEST = 2;

  // What this byte completes: NOTHING, ABORT or STATUS_REQUEST.
  inline uint8_t feed(uint8_t byte) {
    if (byte == 0) {
      const uint8_t matched = position_ == LENGTH ? candidates_ : NOTHING;
      position_ = 0;
      candidates_ = ABORT | STATUS_REQUEST;
      return matched;
    }
    if (candidates_ == 0) return NOTHING;
    if (position_ == LENGTH) {
      candidates_ = 0;
      return NOTHING;
    }
    ++position_;
    if (byte != protocol::ABORT_FRAME[position_]) candidates_ &= static_cast<uint8_t>(~ABORT);
    if (byte != protocol::STATUS_REQUEST_FRAME[position_]) {
      candidates_ &= static_cast<uint8_t>(~STATUS_REQUEST);
    }
    return NOTHING;
  }

 private:
  // Bytes between the delimiters.
  static constexpr uint8_t LENGTH = protocol::ABORT_FRAME_SIZE - 2;
  static_assert(protocol::ABORT_FRAME_SIZE == protocol::STATUS_REQUEST_FRAME_SIZE,
                "both frames are compared by one position");

  uint8_t position_ = 0;
  uint8_t candidates_ = 0;  // nothing before the first delimiter is trusted
};

}  // namespace thistlebot
