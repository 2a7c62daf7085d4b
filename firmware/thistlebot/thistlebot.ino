// Thistlebot: turns the faces of a cube as a host tells it.
//
// The sketch only starts the machine; src/core is the firmware, src/avr its hardware, and
// src/boards says which pin does what. See firmware/README.md for the wiring.
#include "src/avr/machine.h"

void setup() { thistlebot::machine_begin(); }

void loop() { thistlebot::machine_poll(); }
