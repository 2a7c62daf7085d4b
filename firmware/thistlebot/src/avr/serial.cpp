#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "../core/board.h"
#include "../core/byte_ring.h"
#include "../core/hardware.h"
#include "../core/messages.h"
#include "pins.h"
#include "step_timer.h"

namespace thistlebot {

namespace {

// A host has at most WINDOW messages under way; MOVE and SET take 14 bytes with both delimiters.
constexpr uint8_t RECEIVE_RING = 128;
constexpr uint8_t TRANSMIT_RING = 128;
static_assert(RECEIVE_RING > protocol::WINDOW * 14, "a window of messages must fit");

ByteRing<RECEIVE_RING> received;
ByteRing<TRANSMIT_RING> transmitting;

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

inline void on_received(uint8_t byte) {
  // Looked at even when the ring is full: ABORT gets through.
  board.on_byte(byte);
  received.put(byte);  // a byte too many is lost, its frame fails the CRC and is sent again
}

inline void on_transmit_ready() {
  if (transmitting.empty()) {
    UCSR0B &= static_cast<uint8_t>(~_BV(UDRIE0));
  } else {
    UDR0 = transmitting.take();
  }
}

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

ISR(THISTLEBOT_RECEIVE_VECTOR) { thistlebot::on_received(UDR0); }
ISR(THISTLEBOT_TRANSMIT_VECTOR) { thistlebot::on_transmit_ready(); }
