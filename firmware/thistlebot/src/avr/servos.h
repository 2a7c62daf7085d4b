// The pulses of the servos. Timers make their edges, so that no interrupt moves them.
#pragma once

#include <stdint.h>

namespace thistlebot {

// No pulse comes before the first `hardware::servo_pulse`.
void servos_begin();

// From the main loop, with the low byte of the time in milliseconds.
void servos_poll(uint8_t now_ms);

// Each millisecond, from its interrupt, if needed: the main loop may be late.
bool servos_tick_wanted();
void servos_tick();

}  // namespace thistlebot
