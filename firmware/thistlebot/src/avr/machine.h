// The board with its hardware: what the sketch's setup() and loop() call.
#pragma once

namespace thistlebot {

void machine_begin();
void machine_poll();

}  // namespace thistlebot
