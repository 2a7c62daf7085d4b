// The steps that the board has accepted and not begun, in places of four bytes.
//
// A step of plain turns takes one place, any other step two and one more for each action, as the
// host counts them. Used by the main loop alone.
#pragma once

#include <stdint.h>

#include "messages.h"
#include "motion.h"
#include "out_of_line.h"

namespace thistlebot {

// A step of any kind, as received.
struct ActionStep {
  protocol::Begin begin;
  uint16_t begin_value;
  uint8_t count;
  protocol::Action actions[protocol::MAX_ACTIONS];

  // Turns that the lanes' interrupts start.
  THISTLEBOT_OUT_OF_LINE bool is_plain() const;
  uint8_t places() const { return is_plain() ? 1 : static_cast<uint8_t>(2 + count); }
};

class StepQueue {
 public:
  uint8_t used() const { return used_; }
  bool empty() const { return used_ == 0; }
  void clear() { used_ = 0; }

  THISTLEBOT_OUT_OF_LINE void put(const ActionStep& step);  // only if its places are free

  // Of the oldest step; only if there is one.
  bool turns_next() const { return (bytes_[first_] & MARK) == 0; }
  THISTLEBOT_OUT_OF_LINE PackedTurn take_turns();
  THISTLEBOT_OUT_OF_LINE void peek(ActionStep& step) const;
  void drop() { skip(static_cast<uint8_t>(2 + (bytes_[first_] & ~MARK))); }

 private:
  static constexpr uint8_t PLACE = 4;
  static constexpr uint16_t SIZE = PLACE * protocol::QUEUE_PLACES;
  static_assert(SIZE == 256, "an index wraps by itself");
  static constexpr uint8_t MARK = 0x80;  // an action step; else the first turn

  void skip(uint8_t places) {
    first_ = static_cast<uint8_t>(first_ + PLACE * places);
    used_ = static_cast<uint8_t>(used_ - places);
  }

  uint8_t first_;  // index of the oldest byte
  uint8_t used_;   // places
  uint8_t bytes_[SIZE];
};

}  // namespace thistlebot
