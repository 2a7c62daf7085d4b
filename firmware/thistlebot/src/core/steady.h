// Input lines that stand still: a spike on a long wire is shorter than what counts.
#pragma once

#include <stdint.h>

#include "profile.h"

namespace thistlebot {

class Steady {
 public:
  static constexpr uint16_t SPIKE_TICKS = 20 * TICKS_PER_US;

  // Takes one look, as often as the main loop comes round; returns the lines that are set and have
  // not changed for the time of a spike.
  uint8_t look(uint8_t lines, uint16_t now) {
    if (lines != lines_) {
      lines_ = lines;
      since_ = now;
      stood_ = false;
    } else if (static_cast<uint16_t>(now - since_) >= SPIKE_TICKS) {
      stood_ = true;
    }
    return stood_ ? lines_ : 0;
  }

 private:
  uint8_t lines_;
  bool stood_;
  uint16_t since_;
};

}  // namespace thistlebot
