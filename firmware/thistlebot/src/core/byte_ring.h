// A ring of bytes between one interrupt and the main loop: one writer, one reader, no lock.
#pragma once

#include <stdint.h>

namespace thistlebot {

// The fields are used by the assembler of avr/serial_interrupts.cpp, which does what `put` and `take` do.
template <uint8_t SIZE>
struct ByteRing {
  static_assert((SIZE & (SIZE - 1)) == 0 && SIZE <= 128, "indices wrap by a mask");
  static constexpr uint8_t MASK = SIZE - 1;

  volatile uint8_t head = 0;  // where the next byte goes
  volatile uint8_t tail = 0;  // where the oldest one is
  volatile uint8_t bytes[SIZE];

  bool empty() const { return head == tail; }
  uint8_t used() const { return static_cast<uint8_t>((head - tail) & MASK); }
  uint8_t free() const { return static_cast<uint8_t>(MASK - used()); }

  // The byte is lost, and false comes back, when the ring is full.
  bool put(uint8_t byte) {
    const uint8_t place = head;
    const uint8_t next = static_cast<uint8_t>((place + 1) & MASK);
    if (next == tail) return false;
    bytes[place] = byte;
    head = next;
    return true;
  }

  // Only when not empty.
  uint8_t take() {
    const uint8_t place = tail;
    const uint8_t byte = bytes[place];
    tail = static_cast<uint8_t>((place + 1) & MASK);
    return byte;
  }
};

}  // namespace thistlebot
