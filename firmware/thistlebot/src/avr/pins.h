// Port registers of the pins in boards/.
#pragma once

#include <avr/io.h>

#include "../boards/board.h"

// A pin is written `port, bit` in the board's header; these take it apart.
#define THISTLEBOT_PORT_(port, bit) PORT##port
#define THISTLEBOT_DDR_(port, bit) DDR##port
#define THISTLEBOT_PIN_(port, bit) PIN##port
#define THISTLEBOT_BIT_(port, bit) _BV(bit)
#define THISTLEBOT_PORT(...) THISTLEBOT_PORT_(__VA_ARGS__)
#define THISTLEBOT_DDR(...) THISTLEBOT_DDR_(__VA_ARGS__)
#define THISTLEBOT_PIN(...) THISTLEBOT_PIN_(__VA_ARGS__)
#define THISTLEBOT_BIT(...) THISTLEBOT_BIT_(__VA_ARGS__)

// A register of the lanes' second timer: THISTLEBOT_SECOND(OCR, A) is OCR3A.
#define THISTLEBOT_SECOND__(name, timer, unit) name##timer##unit
#define THISTLEBOT_SECOND_(name, timer, unit) THISTLEBOT_SECOND__(name, timer, unit)
#define THISTLEBOT_SECOND(name, unit) THISTLEBOT_SECOND_(name, THISTLEBOT_SECOND_TIMER, unit)
#define THISTLEBOT_SECOND_VECTOR(unit) \
  THISTLEBOT_SECOND_(TIMER, THISTLEBOT_SECOND_TIMER, _COMP##unit##_vect)
