#include "machine.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "../core/board.h"
#include "../core/hardware.h"
#include "pins.h"
#include "serial.h"
#include "servos.h"
#include "step_timer.h"

namespace thistlebot {

Board board;

namespace {

// Why the chip started: read before anything else, and outside .bss, which is cleared later.
uint8_t reset_flags __attribute__((section(".noinit")));

// Runs before the C runtime: after a watchdog reset the watchdog still runs, on its shortest time.
void read_reset_flags() __attribute__((naked, used, section(".init3")));
void read_reset_flags() {
  reset_flags = MCUSR;
  MCUSR = 0;
  wdt_disable();
}

// A bootloader that clears MCUSR leaves UNKNOWN.
protocol::ResetCause reset_cause() {
  if (reset_flags & _BV(WDRF)) return protocol::ResetCause::WATCHDOG;
  if (reset_flags & _BV(PORF)) return protocol::ResetCause::POWER_ON;
  if (reset_flags & _BV(BORF)) return protocol::ResetCause::BROWN_OUT;
  if (reset_flags & _BV(EXTRF)) return protocol::ResetCause::RESET_PIN;
  return protocol::ResetCause::UNKNOWN;
}

constexpr uint8_t TICKS_PER_MS = F_CPU / 128 / 1000;
// Longer than any wait between two step events, shorter than the watchdog's 120 ms.
constexpr uint8_t LANE_SILENCE_MS = 30;

uint32_t now_ms = 0;
volatile uint8_t ticks = 0;  // counted by the interrupt: in sleep, and while it starts servo pulses

void clock_begin() {
  // Timer 0's interrupt, which the Arduino core starts for millis(), would disturb the steps.
  TIMSK0 = 0;
  TIMSK2 = 0;
  TCCR2A = _BV(WGM21);
  OCR2A = TICKS_PER_MS - 1;
  TCCR2B = _BV(CS22) | _BV(CS20);  // clock / 128
}

void tick_interrupt(bool on) {
  const hardware::InterruptLock lock;  // the emergency stop's interrupt shares the register
  if (on) {
    TIMSK2 |= _BV(OCIE2A);
  } else {
    TIMSK2 &= static_cast<uint8_t>(~_BV(OCIE2A));
  }
}

// Milliseconds are polled while the motors turn: a tick's interrupt would delay a step.
void clock_poll() {
  if (ticks != 0) {
    const hardware::InterruptLock lock;
    now_ms += ticks;
    ticks = 0;
  } else if (TIFR2 & _BV(OCF2A)) {
    TIFR2 = _BV(OCF2A);
    ++now_ms;
  }
}

#define THISTLEBOT_MAKE_OUTPUT(number, port, bit) DDR##port |= _BV(bit);
#define THISTLEBOT_PULL_UP(number, port, bit) PORT##port |= _BV(bit);

void inputs_begin() {
#if defined(THISTLEBOT_LED_PIN)
  THISTLEBOT_DDR(THISTLEBOT_LED_PIN) |= THISTLEBOT_BIT(THISTLEBOT_LED_PIN);
#endif
  THISTLEBOT_OUTPUT_PINS(THISTLEBOT_MAKE_OUTPUT)
  THISTLEBOT_SWITCH_PINS(THISTLEBOT_PULL_UP)
  THISTLEBOT_DRIVER_LINES(THISTLEBOT_PULL_UP)
  THISTLEBOT_PORT(THISTLEBOT_ESTOP_PIN) |= THISTLEBOT_BIT(THISTLEBOT_ESTOP_PIN);
  THISTLEBOT_PORT(THISTLEBOT_BUTTON_PIN) |= THISTLEBOT_BIT(THISTLEBOT_BUTTON_PIN);
  THISTLEBOT_ESTOP_BEGIN();
}

// Reset only while this loop runs and every active lane makes steps.
void watchdog_poll() {
  static uint8_t checked_ms = 0;
  static uint8_t silent_ms = 0;
  const uint8_t ms = static_cast<uint8_t>(now_ms);
  if (ms == checked_ms) return;
  const uint8_t passed = static_cast<uint8_t>(ms - checked_ms);
  checked_ms = ms;
  if (step_timer_moved(board.motion().active())) {
    silent_ms = 0;
  } else {
    silent_ms = static_cast<uint8_t>(silent_ms + passed);
  }
  if (silent_ms < LANE_SILENCE_MS) wdt_reset();
}

// With the motors at rest the processor sleeps until a byte, an edge or the next millisecond.
void rest() {
  if (!board.quiet() || !serial_idle()) return;
  cli();
  if (serial_idle() && board.motion().active() == 0) {
    TIMSK2 |= _BV(OCIE2A);
    sleep_enable();
    sei();
    sleep_cpu();
    sleep_disable();
    tick_interrupt(servos_tick_wanted());
  }
  sei();
}

}  // namespace

void machine_begin() {
  step_timer_begin();
  board.begin(protocol::BoardKind::THISTLEBOT_BOARD_KIND, reset_cause());
  inputs_begin();
  serial_begin();
  clock_begin();
  servos_begin();
  set_sleep_mode(SLEEP_MODE_IDLE);
  wdt_enable(WDTO_120MS);
  sei();
}

void machine_poll() {
  clock_poll();
  watchdog_poll();
  servos_poll(static_cast<uint8_t>(now_ms));
  static bool ticking = false;
  if (ticking != servos_tick_wanted()) {  // a lock in each round would hold up the steps
    ticking = !ticking;
    tick_interrupt(ticking);
  }
  board.poll(now_ms);
  rest();
}

// The level of the drivers' enable pins when they are off, and whether they should be on.
bool off_level = true;
bool meant_on = false;

// The pins of one port are changed by one instruction, or with interrupts off.
#define THISTLEBOT_ENABLE_HIGH(number, port, bit) PORT##port |= _BV(bit);
#define THISTLEBOT_ENABLE_LOW(number, port, bit) PORT##port &= static_cast<uint8_t>(~_BV(bit));
#define THISTLEBOT_ENABLE_FLOAT(number, port, bit) DDR##port &= static_cast<uint8_t>(~_BV(bit));

inline __attribute__((always_inline)) void enable_pins(bool high) {
  if (high) {
    THISTLEBOT_ENABLE_PINS(THISTLEBOT_ENABLE_HIGH)
  } else {
    THISTLEBOT_ENABLE_PINS(THISTLEBOT_ENABLE_LOW)
  }
}

// The contact opens. The drivers are switched off at once, and on again if it was a spike: in that
// time the current of a coil falls by a tenth and no step is lost. Only a contact that is still open
// a moment later is an emergency stop. That is seen by the other comparator of the millisecond's timer;
// waiting here would hold up the steps.
constexpr uint8_t ESTOP_TICKS = 3;  // of 8 us: 16 to 24 us
// What is shorter than about 1.5 us does not reach the drivers either.
constexpr uint8_t ESTOP_LOOKS = 4;

inline void on_estop_edge() {
  for (uint8_t looks = ESTOP_LOOKS; looks != 0; --looks) {
    if (!hardware::estop_open()) return;  // the second look, if one is due, decides
  }
  enable_pins(off_level);
  const uint8_t later = static_cast<uint8_t>(TCNT2 + ESTOP_TICKS);
  OCR2B = later < TICKS_PER_MS ? later : static_cast<uint8_t>(later - TICKS_PER_MS);
  TIFR2 = _BV(OCF2B);
  TIMSK2 |= _BV(OCIE2B);
}

inline void on_estop_again() {
  TIMSK2 &= static_cast<uint8_t>(~_BV(OCIE2B));
  if (hardware::estop_open()) {
    board.on_estop();
  } else if (meant_on) {
    enable_pins(!off_level);
  }
}

inline void on_tick() {
  ++ticks;
  if (servos_tick_wanted()) servos_tick();
}

namespace hardware {

void switch_drivers(bool on, bool active_high) {
  const InterruptLock lock;
  off_level = !active_high;
  meant_on = on;
  enable_pins(on == active_high);
  THISTLEBOT_ENABLE_PINS(THISTLEBOT_MAKE_OUTPUT)
#if defined(THISTLEBOT_LED_PIN)
  if (on) {
    THISTLEBOT_PORT(THISTLEBOT_LED_PIN) |= THISTLEBOT_BIT(THISTLEBOT_LED_PIN);
  } else {
    THISTLEBOT_PORT(THISTLEBOT_LED_PIN) &= static_cast<uint8_t>(~THISTLEBOT_BIT(THISTLEBOT_LED_PIN));
  }
#endif
}

void leave_drivers() {
  const InterruptLock lock;
  THISTLEBOT_ENABLE_PINS(THISTLEBOT_ENABLE_FLOAT)
  THISTLEBOT_ENABLE_PINS(THISTLEBOT_ENABLE_HIGH)
}

// A closed contact to ground is the safe state; a pull-up makes pressed and broken wires alike.
bool estop_open() {
  return (THISTLEBOT_PIN(THISTLEBOT_ESTOP_PIN) & THISTLEBOT_BIT(THISTLEBOT_ESTOP_PIN)) != 0;
}

bool button_down() {
  return (THISTLEBOT_PIN(THISTLEBOT_BUTTON_PIN) & THISTLEBOT_BIT(THISTLEBOT_BUTTON_PIN)) == 0;
}

#if defined(THISTLEBOT_STALL_PINS)
bool has_stall_line_each() { return true; }

uint8_t stall_lines_each() {
#define THISTLEBOT_STALL_BIT(channel, port, bit) | (PIN##port & _BV(bit) ? 1 << channel : 0)
  return 0 THISTLEBOT_STALL_PINS(THISTLEBOT_STALL_BIT);
}
#else
bool has_stall_line_each() { return false; }

uint8_t stall_lines_each() { return 0; }
#endif

uint8_t stall_lines(protocol::StallInput wired) {
  if (wired == protocol::StallInput::EACH) return stall_lines_each();
  return THISTLEBOT_PIN(THISTLEBOT_STALL_PIN) & THISTLEBOT_BIT(THISTLEBOT_STALL_PIN) ? 0xFF : 0;
}

uint8_t output_count() { return OUTPUTS; }

#define THISTLEBOT_OUTPUT(number, port, bit)                            \
  if (index == number) {                                                \
    if (on) PORT##port |= _BV(bit);                                     \
    if (!on) PORT##port &= static_cast<uint8_t>(~_BV(bit));             \
  }

void output(uint8_t index, bool on) {
  const InterruptLock lock;  // interrupts change other pins of these ports
  THISTLEBOT_OUTPUT_PINS(THISTLEBOT_OUTPUT)
}

uint8_t switch_count() { return SWITCHES; }

#define THISTLEBOT_SWITCH(number, port, bit) \
  if (index == number) return (PIN##port & _BV(bit)) == 0;

bool switch_closed(uint8_t index) {
  THISTLEBOT_SWITCH_PINS(THISTLEBOT_SWITCH)
  return false;
}

uint8_t load(uint16_t address) {
  return eeprom_read_byte(reinterpret_cast<const uint8_t*>(address));
}

bool storage_ready() { return eeprom_is_ready(); }

void store(uint16_t address, uint8_t value) {
  eeprom_write_byte(reinterpret_cast<uint8_t*>(address), value);
}

}  // namespace hardware
}  // namespace thistlebot

ISR(THISTLEBOT_ESTOP_VECTOR) { thistlebot::on_estop_edge(); }
ISR(TIMER2_COMPA_vect) { thistlebot::on_tick(); }
ISR(TIMER2_COMPB_vect) { thistlebot::on_estop_again(); }
