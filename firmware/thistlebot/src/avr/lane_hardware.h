// The lanes' part of core/hardware.h on an AVR: inline, because the step interrupts use it.
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>

#include "../core/lane.h"
#include "pins.h"

namespace thistlebot {

extern Lane lanes[];

// In RAM, because reading flash takes longer.
struct OutputPin {
  volatile uint8_t* at;  // the port; for STEP the PIN register: writing a 1 toggles the output
  uint8_t mask;
};

extern OutputPin motor_pins[2 * MOTORS];  // STEP of each motor, then DIR of each

namespace hardware {

static_assert(OCIE1A == OCF1A && OCIE1B == OCF1B, "mask and flag share their bit numbers");
constexpr uint8_t lane_bit(uint8_t lane) {
  return lane == 0 || (LANES == 4 && lane == 2) ? _BV(OCIE1A) : _BV(OCIE1B);
}

__attribute__((always_inline)) inline InterruptLock::InterruptLock() : saved_(SREG) { cli(); }
__attribute__((always_inline)) inline InterruptLock::~InterruptLock() { SREG = saved_; }

// These three are always inline: the step interrupts have no time for a call.
__attribute__((always_inline)) inline void select_motor(uint8_t lane, uint8_t motor, bool direction_high) {
  const OutputPin* const pins = motor_pins + motor;
  lanes[lane].pin.toggle = pins->at;
  lanes[lane].pin.mask = pins->mask;
  const OutputPin& direction = pins[MOTORS];
  const InterruptLock lock;  // the emergency stop changes another bit of the same port
  if (direction_high) {
    *direction.at |= direction.mask;
  } else {
    *direction.at &= static_cast<uint8_t>(~direction.mask);
  }
}

inline void pulse_begin(uint8_t, const PulsePin& pin) { *pin.toggle = pin.mask; }
inline void pulse_end(uint8_t, const PulsePin& pin) { *pin.toggle = pin.mask; }

// The timer's 16-bit registers share one byte of temporary storage: call all below with interrupts off.

inline uint16_t timer() { return TCNT1; }

#if THISTLEBOT_LANES == 2
inline uint16_t due(uint8_t lane) { return lane == 0 ? OCR1A : OCR1B; }
#else
// The second timer's count less timer 1's: both run freely at the same clock.
extern uint16_t second_ahead;

inline uint16_t due(uint8_t lane) {
  if (lane == 0) return OCR1A;
  if (lane == 1) return OCR1B;
  const uint16_t at = lane == 2 ? THISTLEBOT_SECOND(OCR, A) : THISTLEBOT_SECOND(OCR, B);
  return at - second_ahead;
}
#endif

void set_event(uint8_t lane, uint16_t from, uint16_t interval);

__attribute__((always_inline)) inline void arm(uint8_t lane) {
#if THISTLEBOT_LANES == 4
  if (lane >= 2) {
    THISTLEBOT_SECOND(TIFR, ) = lane_bit(lane);
    THISTLEBOT_SECOND(TIMSK, ) |= lane_bit(lane);
    return;
  }
#endif
  TIFR1 = lane_bit(lane);  // a stale match
  TIMSK1 |= lane_bit(lane);
}

// Inlined, or the gap between two turns takes a microsecond longer.
__attribute__((always_inline)) inline void disarm(uint8_t lane) {
#if THISTLEBOT_LANES == 4
  if (lane >= 2) {
    THISTLEBOT_SECOND(TIMSK, ) &= static_cast<uint8_t>(~lane_bit(lane));
    return;
  }
#endif
  TIMSK1 &= static_cast<uint8_t>(~lane_bit(lane));
}

}  // namespace hardware
}  // namespace thistlebot
