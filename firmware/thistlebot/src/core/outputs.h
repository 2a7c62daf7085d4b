// Outputs that are on or off: camera light, lamp, buzzer. A stop does not change them.
#pragma once

#include <stdint.h>

#include "../boards/board.h"
#include "hardware.h"
#include "messages.h"
#include "out_of_line.h"

namespace thistlebot {

class Outputs {
 public:
  THISTLEBOT_OUT_OF_LINE void set(uint8_t output, protocol::OutputMode mode) {
    hardware::output(output, mode != protocol::OutputMode::OFF);
  }
};

}  // namespace thistlebot
