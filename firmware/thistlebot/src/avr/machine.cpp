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
volatile bool woken_by_tick = false;

void clock_begin() {
  // Timer 0's interrupt, which the Arduino core starts for millis(), would disturb the steps.
  TIMSK0 = 0;
  TIMSK2 = 0;
  TCCR2A = _BV(WGM21);
  OCR2A = TICKS_PER_MS - 1;
  TCCR2B = _BV(CS22) | _BV(CS20);  // clock / 128
}

// Milliseconds are polled while the motors turn: a tick's interrupt would delay a step.
void clock_poll() {
  if (woken_by_tick) {
    woken_by_tick = false;
    ++now_ms;
  } else if (TIFR2 & _BV(OCF2A)) {
    TIFR2 = _BV(OCF2A);
    ++now_ms;
  }
}

void inputs_begin() {
  THISTLEBOT_DDR(THISTLEBOT_LED_PIN) |= THISTLEBOT_BIT(THISTLEBOT_LED_PIN);
  THISTLEBOT_PORT(THISTLEBOT_ESTOP_PIN) |= THISTLEBOT_BIT(THISTLEBOT_ESTOP_PIN);
  THISTLEBOT_PORT(THISTLEBOT_BUTTON_PIN) |= THISTLEBOT_BIT(THISTLEBOT_BUTTON_PIN);
  THISTLEBOT_ESTOP_CONTROL |= THISTLEBOT_ESTOP_ANY_EDGE;
  EIFR = THISTLEBOT_ESTOP_MASK;
  EIMSK |= THISTLEBOT_ESTOP_MASK;
}

// Fed only while this loop runs and every lane at work makes steps.
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
    cli();  // the emergency stop's interrupt shares the register
    TIMSK2 &= static_cast<uint8_t>(~_BV(OCIE2A));
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
  set_sleep_mode(SLEEP_MODE_IDLE);
  wdt_enable(WDTO_120MS);
  sei();
}

void machine_poll() {
  clock_poll();
  watchdog_poll();
  board.poll(now_ms);
  rest();
}

// A spike opens the contact for less time than this.
constexpr uint8_t ESTOP_TICKS = 3;  // of 8 us: 16 to 24 us

// Looked at once more a moment later, by the other comparator of the millisecond's timer; waiting
// here would hold up the steps.
inline void on_estop_edge() {
  if (!hardware::estop_open()) {
    TIMSK2 &= static_cast<uint8_t>(~_BV(OCIE2B));
    return;
  }
  const uint8_t later = static_cast<uint8_t>(TCNT2 + ESTOP_TICKS);
  OCR2B = later < TICKS_PER_MS ? later : static_cast<uint8_t>(later - TICKS_PER_MS);
  TIFR2 = _BV(OCF2B);
  TIMSK2 |= _BV(OCIE2B);
}

inline void on_estop_again() {
  TIMSK2 &= static_cast<uint8_t>(~_BV(OCIE2B));
  if (hardware::estop_open()) board.on_estop();
}

inline void on_tick() { woken_by_tick = true; }

namespace hardware {

void switch_drivers(bool on, bool active_high) {
  const InterruptLock lock;
  if (on == active_high) {
    THISTLEBOT_PORT(THISTLEBOT_ENABLE_PIN) |= THISTLEBOT_BIT(THISTLEBOT_ENABLE_PIN);
  } else {
    THISTLEBOT_PORT(THISTLEBOT_ENABLE_PIN) &=
        static_cast<uint8_t>(~THISTLEBOT_BIT(THISTLEBOT_ENABLE_PIN));
  }
  THISTLEBOT_DDR(THISTLEBOT_ENABLE_PIN) |= THISTLEBOT_BIT(THISTLEBOT_ENABLE_PIN);
  if (on) {
    THISTLEBOT_PORT(THISTLEBOT_LED_PIN) |= THISTLEBOT_BIT(THISTLEBOT_LED_PIN);
  } else {
    THISTLEBOT_PORT(THISTLEBOT_LED_PIN) &= static_cast<uint8_t>(~THISTLEBOT_BIT(THISTLEBOT_LED_PIN));
  }
}

void leave_drivers() {
  THISTLEBOT_DDR(THISTLEBOT_ENABLE_PIN) &=
      static_cast<uint8_t>(~THISTLEBOT_BIT(THISTLEBOT_ENABLE_PIN));
  THISTLEBOT_PORT(THISTLEBOT_ENABLE_PIN) |= THISTLEBOT_BIT(THISTLEBOT_ENABLE_PIN);
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
