// The rings between the serial interrupts and the main loop.
#pragma once

#include "../core/byte_ring.h"

namespace thistlebot {

using ReceiveRing = ByteRing<128>;
using TransmitRing = ByteRing<128>;

extern ReceiveRing received;
extern TransmitRing transmitting;

}  // namespace thistlebot
