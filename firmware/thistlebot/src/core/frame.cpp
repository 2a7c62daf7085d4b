#include "frame.h"

#include "crc16.h"

namespace thistlebot {

bool FrameDecoder::feed(uint8_t byte) {
  if (byte == 0) return end_of_frame();
  if (overlong_) return false;
  if (block_left_ == 0) {
    if (zero_due_) {
      if (size_ == sizeof bytes_) {
        overlong_ = true;
        return false;
      }
      bytes_[size_++] = 0;
    }
    block_open_ = true;
    block_left_ = static_cast<uint8_t>(byte - 1);
    zero_due_ = byte != 0xFF;
    return false;
  }
  if (size_ == sizeof bytes_) {
    overlong_ = true;
    return false;
  }
  bytes_[size_++] = byte;
  --block_left_;
  return false;
}

bool FrameDecoder::end_of_frame() {
  const bool whole = block_open_ && !overlong_ && block_left_ == 0 &&
                     size_ >= protocol::HEADER_SIZE + protocol::CRC_SIZE;
  packet_size_ = size_;
  size_ = 0;
  block_left_ = 0;
  block_open_ = false;
  zero_due_ = false;
  overlong_ = false;
  if (!whole) return false;
  const uint8_t body = static_cast<uint8_t>(packet_size_ - protocol::CRC_SIZE);
  return crc16(bytes_, body) == protocol::read_u16(bytes_ + body);
}

Packet FrameDecoder::packet() const {
  Packet packet;
  packet.type = bytes_[0];
  packet.seq = bytes_[1];
  packet.payload = bytes_ + protocol::HEADER_SIZE;
  packet.size = static_cast<uint8_t>(packet_size_ - protocol::HEADER_SIZE - protocol::CRC_SIZE);
  return packet;
}

namespace {

// COBS, one byte at a time, into a frame.
class Stuffer {
 public:
  explicit Stuffer(uint8_t* to) : start_(to), code_(to + 1), next_(to + 2) { *start_ = 0; }

  void put(uint8_t byte) {
    if (byte != 0) {
      *next_++ = byte;
      return;
    }
    close_block();
    code_ = next_++;
  }

  uint8_t finish() {
    close_block();
    *next_++ = 0;
    return static_cast<uint8_t>(next_ - start_);
  }

 private:
  void close_block() { *code_ = static_cast<uint8_t>(next_ - code_); }

  uint8_t* start_;
  uint8_t* code_;
  uint8_t* next_;
};

}  // namespace

uint8_t encode_frame(uint8_t type, uint8_t seq, const uint8_t* payload, uint8_t size, uint8_t* to) {
  // A packet is far shorter than COBS's longest block of 254 bytes, so no block needs splitting.
  static_assert(protocol::MAX_PACKET < 254, "blocks would have to be split");
  Stuffer stuffer(to);
  stuffer.put(type);
  stuffer.put(seq);
  uint16_t crc = crc16_update(crc16_update(protocol::CRC_INITIAL, type), seq);
  for (uint8_t i = 0; i < size; ++i) {
    stuffer.put(payload[i]);
    crc = crc16_update(crc, payload[i]);
  }
  stuffer.put(static_cast<uint8_t>(crc));
  stuffer.put(static_cast<uint8_t>(crc >> 8));
  return stuffer.finish();
}

}  // namespace thistlebot
