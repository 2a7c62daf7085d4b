// Outputs that are on, off or blinking: camera light, lamp, buzzer. A stop does not change them.
#pragma once

#include <stdint.h>

#include "../boards/board.h"
#include "hardware.h"
#include "messages.h"
#include "out_of_line.h"

namespace thistlebot {

class Outputs {
 public:
  static constexpr uint8_t MOST = OUTPUTS != 0 ? OUTPUTS : 1;

  // `half_blink` counts in DWELL_MS.
  THISTLEBOT_OUT_OF_LINE void set(uint8_t output, protocol::OutputMode mode, uint8_t half_blink) {
    Output& of = outputs_[output];
    of.half_blink = mode == protocol::OutputMode::BLINK ? half_blink : 0;
    of.left = of.half_blink;
    of.on = mode != protocol::OutputMode::OFF;
    hardware::output(output, of.on);
  }

  // Once each DWELL_MS.
  void tick() {
    for (uint8_t output = 0; output < MOST; ++output) {
      Output& of = outputs_[output];
      if (of.half_blink == 0 || --of.left != 0) continue;
      of.left = of.half_blink;
      of.on = !of.on;
      hardware::output(output, of.on);
    }
  }

 private:
  struct Output {
    uint8_t half_blink;  // 0: it does not blink
    uint8_t left;
    bool on;
  };

  Output outputs_[MOST];
};

}  // namespace thistlebot
