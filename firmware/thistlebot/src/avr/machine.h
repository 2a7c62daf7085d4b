// The board with its hardware: what the sketch's main() calls.
#pragma once

#include "../boards/board.h"


namespace thistlebot {

void machine_begin();
void machine_poll();

}  // namespace thistlebot
