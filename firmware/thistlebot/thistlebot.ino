// Thistlebot: turns the faces of a cube on commands of a host.
//
// The sketch only starts the machine; src/core is the firmware, src/avr its hardware, and
// src/boards defines the functions of the pins. See firmware/README.md for the wiring.
#include "src/avr/machine.h"

// In place of the Arduino core's own, whose clock and timers nothing here uses: 280 bytes less, and
// the timers are as a reset leaves them.
int main() {
  thistlebot::machine_begin();
  for (;;) thistlebot::machine_poll();
}
