/* Arduino Nano: the same chip and the same pin names as the Uno. */
#define THISTLEBOT_BOARD_NAME "nano"
#define THISTLEBOT_BOARD_KIND NANO
#define THISTLEBOT_ARDUINO "arduino:avr:nano"
#define THISTLEBOT_LOADER "m328p arduino 115200"
/* With the bootloader of before 2018: `nano-old`. */
#define THISTLEBOT_ARDUINO_OLD "arduino:avr:nano:cpu=atmega328old"
#define THISTLEBOT_LOADER_OLD "m328p arduino 57600"

#include "uno.h"
