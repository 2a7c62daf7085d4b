// USART 0 at the protocol's baud rate, with a ring in each direction.
#pragma once

namespace thistlebot {

void serial_begin();
bool serial_idle();  // nothing received that has not been taken

}  // namespace thistlebot
