// Selects the chip of the drivers that the board sets up.
//
// A chip is one header of this folder, with a namespace of the same name:
//
//   REGISTERS            number of registers that are set up
//   write(place, motor)  writes the register at a place of that list, as the motor's settings say
//   ask(motor, taken)    counts the writes that the driver accepted since power-on, modulo 256;
//                        false if it does not answer
//
// They speak to a driver by hardware::driver_exchange. A board's header may name another chip, and so may
// `-DTHISTLEBOT_DRIVER_CHIP=…`. Drivers that are set up by jumpers need none.
#pragma once

#include "../boards/board.h"

#ifndef THISTLEBOT_DRIVER_CHIP
#define THISTLEBOT_DRIVER_CHIP tmc2209
#endif

#include THISTLEBOT_HEADER_(THISTLEBOT_DRIVER_CHIP)

namespace thistlebot {
namespace driver_chip = THISTLEBOT_DRIVER_CHIP;
}
