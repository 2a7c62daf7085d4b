#include "servos.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "../core/hardware.h"
#include "pins.h"

namespace thistlebot {

namespace {

constexpr uint8_t FRAME_MS = 20;
constexpr uint8_t TICKS_PER_PULSE_US = 2;  // both kinds of timer count half microseconds
constexpr uint8_t CLOCK_8 = _BV(CS01);     // the same bit in every timer
static_assert(F_CPU / 8 / 1000000 == TICKS_PER_PULSE_US, "the servos' timers count clock / 8");

// 0: no pulse. Volatile, because the tick's interrupt reads it: else a store could leave its lock.
volatile uint16_t servo_wanted_us[SERVOS + 1];
volatile bool new_frame = false;

uint16_t ticks(uint8_t servo) __attribute__((unused));
uint16_t ticks(uint8_t servo) {
  return static_cast<uint16_t>(servo_wanted_us[servo] * TICKS_PER_PULSE_US);
}

void count_frame(uint8_t now_ms) {
  static uint8_t begun_ms = 0;
  if (static_cast<uint8_t>(now_ms - begun_ms) < FRAME_MS) return;
  begun_ms = now_ms;
  new_frame = true;
}

}  // namespace

#if defined(THISTLEBOT_SERVO_TIMER_0)

// Timer 0 counts rounds of 128 us. A compare unit sets its pin at a match, then clears it at another
// one: between them the interrupt of the match counts the rounds. It has half a round, 64 us, to come.
namespace {

struct Pulse {
  uint8_t rounds;  // matches before the one that is not a round later
  uint8_t middle;  // where that is
  uint8_t end;
};

volatile Pulse pulses[SERVOS];

// Half of what is left of a round and a half, so that both last waits are between half a round and one.
void plan(volatile Pulse& pulse, uint8_t begin, uint16_t length) {
  const uint8_t rest = static_cast<uint8_t>(length);
  pulse.rounds = static_cast<uint8_t>(length >> 8);
  pulse.middle = static_cast<uint8_t>(begin + 128 + rest / 2);
  pulse.end = static_cast<uint8_t>(begin + rest);
}

constexpr uint8_t SOON = 8;  // ticks: the compare unit is ready by then
constexpr uint16_t SHORTEST = 512;  // two rounds

#define THISTLEBOT_SERVO_BEGIN(number, port, bit, timer, unit)                            \
  if (servo == number) {                                                                  \
    const uint16_t length = ticks(number);                                                \
    if (length == 0) {                                                                    \
      TCCR0A &= static_cast<uint8_t>(~(_BV(COM0##unit##1) | _BV(COM0##unit##0)));         \
      return;                                                                             \
    }                                                                                     \
    const hardware::InterruptLock lock;                                                   \
    const uint8_t begin = static_cast<uint8_t>(TCNT0 + SOON);                             \
    OCR0##unit = begin;                                                                   \
    TIFR0 = _BV(OCF0##unit);                                                              \
    TIMSK0 |= _BV(OCIE0##unit);                                                           \
    TCCR0A |= _BV(COM0##unit##1) | _BV(COM0##unit##0); /* set at the match */             \
    plan(pulses[number], begin, length < SHORTEST ? SHORTEST : length);                   \
  }

void begin_pulse(uint8_t servo) { THISTLEBOT_SERVOS(THISTLEBOT_SERVO_BEGIN) }

}  // namespace

void servos_begin() {
  TCCR0A = 0;
  TCCR0B = CLOCK_8;
}

namespace {

// Of all servos; a released one takes one more round, without a pulse.
volatile uint8_t turns_left = 0;

}  // namespace

void servos_poll(uint8_t now_ms) {
  if (turns_left == 0) count_frame(now_ms);
  for (uint8_t servo = 0; servo < SERVOS; ++servo) {
    if (servo_wanted_us[servo] != 0) turns_left = 2 * SERVOS;
  }
}

bool servos_tick_wanted() { return turns_left != 0; }

// One after the other, half a frame apart: there is one pulse at a time.
void servos_tick() {
  static uint8_t passed_ms = 0;
  static uint8_t next = 0;
  if (++passed_ms < FRAME_MS / SERVOS) return;
  passed_ms = 0;
  if (next == 0) new_frame = true;
  turns_left = static_cast<uint8_t>(turns_left - 1);
  begin_pulse(next);
  next = static_cast<uint8_t>((next + 1) % SERVOS);
}

#define THISTLEBOT_SERVO_INTERRUPT(number, port, bit, timer, unit)                        \
  ISR(TIMER0_COMP##unit##_vect) {                                                         \
    volatile thistlebot::Pulse& pulse = thistlebot::pulses[number];                       \
    const uint8_t rounds = pulse.rounds;                                                  \
    if (rounds == 0) {                                                                    \
      OCR0##unit = pulse.end;                                                             \
      TCCR0A &= static_cast<uint8_t>(~_BV(COM0##unit##0)); /* clear at the match */       \
      TIMSK0 &= static_cast<uint8_t>(~_BV(OCIE0##unit));                                  \
      return;                                                                             \
    }                                                                                     \
    if (rounds == 1) OCR0##unit = pulse.middle;                                           \
    pulse.rounds = static_cast<uint8_t>(rounds - 1);                                      \
  }

#elif defined(THISTLEBOT_SERVO_TIMERS)

// A 16-bit timer makes a frame of 20 ms in hardware, with up to three pulses in it.
#define THISTLEBOT_PWM_BEGIN(timer)                              \
  TIMSK##timer = 0;                                              \
  ICR##timer = FRAME_MS * 1000U * TICKS_PER_PULSE_US - 1;        \
  TCCR##timer##A = _BV(WGM31);                                   \
  TCCR##timer##B = _BV(WGM33) | _BV(WGM32) | CLOCK_8;

#define THISTLEBOT_PWM_PIN(number, port, bit, timer, unit) DDR##port |= _BV(bit);

void servos_begin() {
  THISTLEBOT_SERVOS(THISTLEBOT_PWM_PIN)
  THISTLEBOT_SERVO_TIMERS(THISTLEBOT_PWM_BEGIN)
}

namespace {

constexpr uint16_t LONGEST = 3000 * TICKS_PER_PULSE_US;  // ticks

uint16_t set_ticks[SERVOS + 1];

// The timer takes a new length over at the next frame. A pulse is never cut short: it is ended between
// two pulses. No interrupt uses these registers.
#define THISTLEBOT_PWM(number, port, bit, timer, unit)                                    \
  {                                                                                       \
    const uint16_t length = ticks(number);                                                \
    if (length == set_ticks[number]) {                                                    \
    } else if (length != 0) {                                                             \
      set_ticks[number] = length;                                                         \
      OCR##timer##unit = length - 1;                                                      \
      TCCR##timer##A |= _BV(COM##timer##unit##1);                                         \
    } else if (TCNT##timer > LONGEST) {                                                   \
      set_ticks[number] = 0;                                                              \
      TCCR##timer##A &= static_cast<uint8_t>(~_BV(COM##timer##unit##1));                  \
    }                                                                                     \
  }

}  // namespace

void servos_poll(uint8_t now_ms) {
  count_frame(now_ms);
  THISTLEBOT_SERVOS(THISTLEBOT_PWM)
}

bool servos_tick_wanted() { return false; }
void servos_tick() {}

#define THISTLEBOT_SERVO_INTERRUPT(...)

#else

void servos_begin() {}

void servos_poll(uint8_t now_ms) { count_frame(now_ms); }
bool servos_tick_wanted() { return false; }
void servos_tick() {}

#define THISTLEBOT_SERVO_INTERRUPT(...)

#endif

namespace hardware {

uint8_t servo_count() { return SERVOS; }

void servo_pulse(uint8_t servo, uint16_t pulse_us) {
  const InterruptLock lock;
  if (servo + 1 <= SERVOS) servo_wanted_us[servo] = pulse_us;
}

bool servo_frame() {
  if (!new_frame) return false;
  new_frame = false;
  return true;
}

}  // namespace hardware
}  // namespace thistlebot

THISTLEBOT_SERVOS(THISTLEBOT_SERVO_INTERRUPT)
