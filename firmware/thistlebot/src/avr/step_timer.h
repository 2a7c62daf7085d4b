// Timer 1 runs freely at the CPU's clock; its compare units A and B are two step lanes. Where there
// are four lanes, a second timer does the same for the other two.
#pragma once

#include <stdint.h>

namespace thistlebot {

void step_timer_begin();

// Has each active lane made progress since the last call? For the watchdog.
// A lane waits at most 65 536 cycles, 4.1 ms, between two events.
bool step_timer_moved(uint8_t active_lanes);

// The one board, for the interrupts.
class Board;
extern Board board;

}  // namespace thistlebot
