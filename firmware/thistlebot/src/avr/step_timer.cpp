#include "step_timer.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

#include "../core/board.h"
#include "../core/hardware.h"
#include "pins.h"

namespace thistlebot {

namespace {

// An event nearer than this might be past before its compare value is written.
constexpr uint16_t MARGIN_TICKS = 48;

struct MotorPins {
  uint16_t step_toggle;  // address of the PIN register: writing a 1 toggles the output
  uint8_t step_mask;
  uint16_t direction_port;
  uint8_t direction_mask;
};

#define THISTLEBOT_STEP_ADDRESS(channel, port, bit) reinterpret_cast<uint16_t>(&PIN##port),
#define THISTLEBOT_STEP_MASK(channel, port, bit) _BV(bit),
#define THISTLEBOT_DIR_ADDRESS(channel, port, bit) reinterpret_cast<uint16_t>(&PORT##port),
#define THISTLEBOT_DIR_MASK(channel, port, bit) _BV(bit),

const uint16_t STEP_TOGGLE[] PROGMEM = {THISTLEBOT_STEP_PINS(THISTLEBOT_STEP_ADDRESS)};
const uint8_t STEP_MASK[] PROGMEM = {THISTLEBOT_STEP_PINS(THISTLEBOT_STEP_MASK)};
const uint16_t DIR_PORT[] PROGMEM = {THISTLEBOT_DIR_PINS(THISTLEBOT_DIR_ADDRESS)};
const uint8_t DIR_MASK[] PROGMEM = {THISTLEBOT_DIR_PINS(THISTLEBOT_DIR_MASK)};

static_assert(sizeof STEP_MASK == protocol::MAX_MOTORS, "one STEP pin a motor");
static_assert(sizeof DIR_MASK == protocol::MAX_MOTORS, "one DIR pin a motor");

inline uint16_t compare(uint8_t lane) { return lane == 0 ? OCR1A : OCR1B; }

inline void set_compare(uint8_t lane, uint16_t value) {
  if (lane == 0) {
    OCR1A = value;
  } else {
    OCR1B = value;
  }
}

inline uint8_t lane_bit(uint8_t lane) { return lane == 0 ? _BV(OCIE1A) : _BV(OCIE1B); }

static_assert(OCIE1A == OCF1A && OCIE1B == OCF1B, "mask and flag share their bit numbers");

// An interval may be longer than half the timer's range, so what has passed is compared unsigned.
inline void set_event(uint8_t lane, uint16_t from, uint16_t interval) {
  const uint16_t now = TCNT1;
  const uint16_t passed = now - from;
  const bool late = passed >= interval || interval - passed <= MARGIN_TICKS;
  set_compare(lane, late ? now + MARGIN_TICKS : from + interval);
}

}  // namespace

void step_timer_begin() {
#define THISTLEBOT_OUTPUT(channel, port, bit) DDR##port |= _BV(bit);
  THISTLEBOT_STEP_PINS(THISTLEBOT_OUTPUT)
  THISTLEBOT_DIR_PINS(THISTLEBOT_OUTPUT)
  TCCR1A = 0;
  TIMSK1 = 0;
  TCCR1B = _BV(CS10);
}

bool step_timer_moved(uint8_t active_lanes) {
  static uint16_t before[LANES];
  bool moved = true;
  for (uint8_t lane = 0; lane < LANES; ++lane) {
    if ((active_lanes >> lane & 1) == 0) continue;
    const uint16_t now = compare(lane);
    if (now == before[lane]) moved = false;
    before[lane] = now;
  }
  return moved;
}

namespace hardware {

void select_motor(uint8_t lane, uint8_t motor, bool direction_high) {
  lanes[lane].pin.toggle =
      reinterpret_cast<volatile uint8_t*>(pgm_read_word(STEP_TOGGLE + motor));
  lanes[lane].pin.mask = pgm_read_byte(STEP_MASK + motor);
  volatile uint8_t* const port =
      reinterpret_cast<volatile uint8_t*>(pgm_read_word(DIR_PORT + motor));
  const uint8_t mask = pgm_read_byte(DIR_MASK + motor);
  // Interrupts are off here, so no other change of the port gets lost.
  *port = direction_high ? *port | mask : *port & static_cast<uint8_t>(~mask);
}

void pulse_begin(uint8_t lane) { *lanes[lane].pin.toggle = lanes[lane].pin.mask; }
void pulse_end(uint8_t lane) { *lanes[lane].pin.toggle = lanes[lane].pin.mask; }

uint16_t timer() { return TCNT1; }
uint16_t due(uint8_t lane) { return compare(lane); }

void arm(uint8_t lane, uint16_t from, uint16_t interval) {
  set_event(lane, from, interval);
  TIFR1 = lane_bit(lane);  // the compare register passed other values on its way here
  TIMSK1 |= lane_bit(lane);
}

void advance(uint8_t lane, uint16_t interval) { set_event(lane, compare(lane), interval); }

void disarm(uint8_t lane) { TIMSK1 &= static_cast<uint8_t>(~lane_bit(lane)); }

}  // namespace hardware
}  // namespace thistlebot

ISR(TIMER1_COMPA_vect) { thistlebot::board.on_timer(0); }
ISR(TIMER1_COMPB_vect) { thistlebot::board.on_timer(1); }
