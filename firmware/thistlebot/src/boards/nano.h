/* Arduino Nano: the same chip and the same pin names as the Uno. */
#ifndef THISTLEBOT_BOARDS_NANO_H
#define THISTLEBOT_BOARDS_NANO_H

#include "uno.h"

#endif
