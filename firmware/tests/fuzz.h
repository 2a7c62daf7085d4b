// Sends packets, whole and damaged, to a board of the host build, and checks its rules after each.
#pragma once

#include <cstdint>

namespace thistlebot {

struct FuzzCounts {
  long packets;
  long damaged;
  long answers;
  long turns;
  long steps;
  long pulses;    // changes of a servo's pulse
  long switched;  // of an output
};

// Ends the program, with a message, at the first rule that is broken.
FuzzCounts fuzz(long packets, uint32_t seed);

}  // namespace thistlebot
