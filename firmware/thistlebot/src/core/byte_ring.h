// A ring of bytes between one interrupt and the main loop: one writer, one reader, no lock.
#pragma once

#include <stdint.h>

namespace thistlebot {

template <uint8_t SIZE>
class ByteRing {
  static_assert((SIZE & (SIZE - 1)) == 0 && SIZE <= 128, "indices wrap by a mask");

 public:
  bool empty() const { return head_ == tail_; }
  uint8_t used() const { return static_cast<uint8_t>((head_ - tail_) & MASK); }
  uint8_t free() const { return static_cast<uint8_t>(MASK - used()); }

  // The byte is lost, and false comes back, when the ring is full.
  bool put(uint8_t byte) {
    const uint8_t head = head_;
    const uint8_t next = static_cast<uint8_t>((head + 1) & MASK);
    if (next == tail_) return false;
    bytes_[head] = byte;
    head_ = next;
    return true;
  }

  // Only when not empty.
  uint8_t take() {
    const uint8_t tail = tail_;
    const uint8_t byte = bytes_[tail];
    tail_ = static_cast<uint8_t>((tail + 1) & MASK);
    return byte;
  }

 private:
  static constexpr uint8_t MASK = SIZE - 1;

  volatile uint8_t head_ = 0;
  volatile uint8_t tail_ = 0;
  volatile uint8_t bytes_[SIZE];
};

}  // namespace thistlebot
