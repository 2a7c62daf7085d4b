// Selects the board, and defines what the portable core needs to know about it.
//
// A board is one header of this folder. `-DTHISTLEBOT_BOARD=ramps` takes ramps.h; without it the board
// is the one that the Arduino tools compile for. In the Arduino IDE, which has no such option, name it
// in the next line.
// #define THISTLEBOT_BOARD ramps
#pragma once

#include <stdint.h>

#if defined(__AVR__)
// Saves 300 bytes. Here, because the Arduino IDE has no place for it.
#pragma GCC optimize("no-split-wide-types", "no-jump-tables")
#endif

#define THISTLEBOT_TEXT_(text) #text
#define THISTLEBOT_HEADER_(name) THISTLEBOT_TEXT_(name.h)

#if defined(THISTLEBOT_BOARD)
#include THISTLEBOT_HEADER_(THISTLEBOT_BOARD)
#elif defined(__AVR_ATmega2560__)
#include "mega.h"
#elif defined(ARDUINO_AVR_NANO)
#include "nano.h"
#elif defined(__AVR_ATmega328P__)
#include "uno.h"
#elif defined(__AVR__) || defined(ARDUINO)
#error "Thistlebot knows no board with this chip: see PORTING.md"
#else
#include "host.h"
#endif

#define THISTLEBOT_COUNT(...) +1

namespace thistlebot {

constexpr uint32_t TICKS_PER_S = THISTLEBOT_CLOCK_HZ;  // the step timers count CPU cycles
constexpr uint16_t TICKS_PER_US = TICKS_PER_S / 1000000UL;
constexpr uint8_t LANES = THISTLEBOT_LANES;
constexpr uint8_t MOTORS = THISTLEBOT_MOTORS;
constexpr uint8_t SERVOS = 0 THISTLEBOT_SERVOS(THISTLEBOT_COUNT);
constexpr uint8_t OUTPUTS = 0 THISTLEBOT_OUTPUT_PINS(THISTLEBOT_COUNT);
constexpr uint8_t SWITCHES = 0 THISTLEBOT_SWITCH_PINS(THISTLEBOT_COUNT);
constexpr uint8_t DRIVER_LINES = 0 THISTLEBOT_DRIVER_LINES(THISTLEBOT_COUNT);

static_assert(LANES == 2 || LANES == 4, "a turn of two motors takes two lanes");

}  // namespace thistlebot
