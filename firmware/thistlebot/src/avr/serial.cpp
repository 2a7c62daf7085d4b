#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "../core/hardware.h"
#include "../core/messages.h"
#include "serial_rings.h"

namespace thistlebot {

ReceiveRing received;
TransmitRing transmitting;

namespace {

// Besides its window a host sends ABORT or STATUS_REQUEST.
static_assert(ReceiveRing::MASK >= protocol::WINDOW_BYTES + protocol::ABORT_FRAME_SIZE,
              "a window of messages must fit");

constexpr uint16_t DIVIDER = F_CPU / 16 / protocol::BAUD - 1;
static_assert(F_CPU / 16 / (DIVIDER + 1) == protocol::BAUD, "the baud rate divides the clock exactly");

}  // namespace

void serial_begin() {
  UBRR0 = DIVIDER;
  UCSR0A = 0;
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

bool serial_idle() { return received.empty() && transmitting.empty(); }

namespace hardware {

bool receive(uint8_t& byte) {
  if (received.empty()) return false;
  byte = received.take();
  return true;
}

uint8_t transmit_space() { return transmitting.free(); }

void transmit(uint8_t byte) {
  transmitting.put(byte);
  const InterruptLock lock;  // the interrupt clears the same bit
  UCSR0B |= _BV(UDRIE0);
}

}  // namespace hardware
}  // namespace thistlebot
