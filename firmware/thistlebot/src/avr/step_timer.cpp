#include "step_timer.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

#include "../core/board.h"
#include "../core/hardware.h"
#include "pins.h"

namespace thistlebot {

#define THISTLEBOT_STEP_PIN(channel, port, bit) {&PIN##port, _BV(bit)},
#define THISTLEBOT_DIR_PIN(channel, port, bit) {&PORT##port, _BV(bit)},
OutputPin motor_pins[2 * MOTORS] = {THISTLEBOT_STEP_PINS(THISTLEBOT_STEP_PIN)
                                        THISTLEBOT_DIR_PINS(THISTLEBOT_DIR_PIN)};

void step_timer_begin() {
#define THISTLEBOT_MOTOR_PIN(channel, port, bit) DDR##port |= _BV(bit);
  THISTLEBOT_STEP_PINS(THISTLEBOT_MOTOR_PIN)
  THISTLEBOT_DIR_PINS(THISTLEBOT_MOTOR_PIN)
  TCCR1A = 0;
  TIMSK1 = 0;
  TCCR1B = _BV(CS10);
#if THISTLEBOT_LANES == 4
  THISTLEBOT_SECOND(TCCR, A) = 0;
  THISTLEBOT_SECOND(TIMSK, ) = 0;
  THISTLEBOT_SECOND(TCCR, B) = _BV(CS10);
  hardware::second_ahead = THISTLEBOT_SECOND(TCNT, );
  hardware::second_ahead -= TCNT1;  // read a few cycles later: a lane is early by that much
#endif
}

bool step_timer_moved(uint8_t active_lanes) {
  static uint16_t before[LANES];
  bool moved = true;
  for (uint8_t lane = 0; lane < LANES; ++lane) {
    if ((active_lanes >> lane & 1) == 0) continue;
    const uint16_t now = hardware::due(lane);
    if (now == before[lane]) moved = false;
    before[lane] = now;
  }
  return moved;
}

namespace hardware {

#if THISTLEBOT_LANES == 4
uint16_t second_ahead;
#endif

// An event nearer than this might be past before its compare value is written and it is armed.
constexpr uint16_t MARGIN_TICKS = LANES == 4 ? 96 : 64;

__attribute__((noinline)) void set_event(uint8_t lane, uint16_t from, uint16_t interval) {
  const uint16_t now = TCNT1;
  // An interval may be longer than half the timer's range, so what has passed is compared unsigned.
  const uint16_t passed = now - from;
  uint16_t at = from + interval;
  if (passed >= interval || interval - passed <= MARGIN_TICKS) at = now + MARGIN_TICKS;
  if (lane == 0) {
    OCR1A = at;
#if THISTLEBOT_LANES == 4
  } else if (lane == 2) {
    THISTLEBOT_SECOND(OCR, A) = at + second_ahead;
  } else if (lane == 3) {
    THISTLEBOT_SECOND(OCR, B) = at + second_ahead;
#endif
  } else {
    OCR1B = at;
  }
}

}  // namespace hardware
}  // namespace thistlebot
