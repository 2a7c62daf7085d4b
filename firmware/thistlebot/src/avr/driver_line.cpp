// The one-wire UART of the drivers, in software: both ends share one pin.
//
// Slow enough that the interrupts of the serial line and of the clock may come between: a bit lasts 833
// cycles, and they seldom take more than 200 in a row. The motors are at rest meanwhile.
#include <avr/io.h>

#include "../core/hardware.h"
#include "pins.h"

namespace thistlebot {
namespace hardware {

namespace {

constexpr uint16_t BIT_TICKS = F_CPU / 19200;
constexpr uint16_t PAUSE_TICKS = 20 * BIT_TICKS;   // between two datagrams: 12 bits at least
constexpr uint16_t ANSWER_TICKS = 40 * BIT_TICKS;  // a driver begins to answer after 8 to 24 bits

uint16_t now() {
  const InterruptLock lock;
  return timer();
}

void wait_until(uint16_t at) {
  while (static_cast<int16_t>(now() - at) < 0) {
  }
}

#define THISTLEBOT_LINE_HIGH(number, port, bit) \
  if (line == number) PORT##port |= _BV(bit);
#define THISTLEBOT_LINE_LOW(number, port, bit) \
  if (line == number) PORT##port &= static_cast<uint8_t>(~_BV(bit));
#define THISTLEBOT_LINE_DRIVE(number, port, bit) \
  if (line == number) DDR##port |= _BV(bit);
#define THISTLEBOT_LINE_RELEASE(number, port, bit) \
  if (line == number) DDR##port &= static_cast<uint8_t>(~_BV(bit));
#define THISTLEBOT_LINE_READ(number, port, bit) \
  if (line == number) return (PIN##port & _BV(bit)) != 0;

void set_line(uint8_t line, bool high) {
  (void)line;  // a board may have none
  const InterruptLock lock;  // interrupts change other pins of these ports
  if (high) {
    THISTLEBOT_DRIVER_LINES(THISTLEBOT_LINE_HIGH)
  } else {
    THISTLEBOT_DRIVER_LINES(THISTLEBOT_LINE_LOW)
  }
}

// The pull-up holds a released line high.
void drive_line(uint8_t line, bool drive) {
  (void)line;  // a board may have none
  const InterruptLock lock;
  if (drive) {
    THISTLEBOT_DRIVER_LINES(THISTLEBOT_LINE_DRIVE)
  } else {
    THISTLEBOT_DRIVER_LINES(THISTLEBOT_LINE_RELEASE)
  }
}

bool read_line(uint8_t line) {
  (void)line;  // a board may have none
  THISTLEBOT_DRIVER_LINES(THISTLEBOT_LINE_READ)
  return true;
}

void send_byte(uint8_t line, uint8_t byte) {
  uint16_t at = now();
  uint16_t bits = static_cast<uint16_t>(byte) << 1 | 0x200;  // start, data, stop
  for (uint8_t i = 0; i < 10; ++i) {
    set_line(line, (bits & 1) != 0);
    bits >>= 1;
    at += BIT_TICKS;
    wait_until(at);
  }
}

bool receive_byte(uint8_t line, uint8_t& byte) {
  const uint16_t asked = now();
  while (read_line(line)) {
    if (static_cast<uint16_t>(now() - asked) > ANSWER_TICKS) return false;
  }
  uint16_t at = now() + BIT_TICKS / 2;
  for (uint8_t i = 0; i < 8; ++i) {
    at += BIT_TICKS;
    wait_until(at);
    byte >>= 1;
    if (read_line(line)) byte |= 0x80;
  }
  wait_until(at + BIT_TICKS);
  return read_line(line);
}

}  // namespace

bool driver_exchange(uint8_t line, const uint8_t* request, uint8_t size, uint8_t* answer,
                     uint8_t answer_size) {
  set_line(line, true);
  drive_line(line, true);
  wait_until(static_cast<uint16_t>(now() + PAUSE_TICKS));
  while (size-- != 0) send_byte(line, *request++);
  drive_line(line, false);
  while (answer_size-- != 0) {
    if (!receive_byte(line, *answer++)) return false;
  }
  return true;
}

}  // namespace hardware
}  // namespace thistlebot
