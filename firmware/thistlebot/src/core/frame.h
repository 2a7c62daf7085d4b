// Packets in frames: COBS without zeros inside, a zero at both ends, CRC-16 within.
#pragma once

#include "../boards/board.h"

#include <stdint.h>

#include "messages.h"

namespace thistlebot {

// Bytes that a frame takes on the wire at most: both delimiters included.
constexpr uint8_t MAX_FRAME = protocol::MAX_ENCODED + 2;

// A packet that arrived intact.
struct Packet {
  uint8_t type;
  uint8_t seq;
  const uint8_t* payload;  // valid until the decoder is fed again
  uint8_t size;
};

// Takes bytes as they arrive and reports when a frame with an intact packet has ended.
// Damaged and overlong frames vanish: the sender repeats what is not acknowledged.
class FrameDecoder {
 public:
  // True when this byte completes an intact packet.
  bool feed(uint8_t byte);
  Packet packet() const;

 private:
  bool end_of_frame();

  uint8_t bytes_[protocol::MAX_PACKET];
  uint8_t size_;
  uint8_t block_left_;     // bytes up to the next stuffed zero
  bool block_open_;    // at least one block has begun
  bool zero_due_;      // the block that ends stood for a zero
  bool overlong_;
  uint8_t packet_size_;
};

// Writes a frame with both delimiters and returns its size, at most MAX_FRAME.
uint8_t encode_frame(uint8_t type, uint8_t seq, const uint8_t* payload, uint8_t size, uint8_t* to);

}  // namespace thistlebot
