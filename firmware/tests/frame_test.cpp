#include <cstring>
#include <random>
#include <vector>

#include "check.h"
#include "core/crc16.h"
#include "core/frame.h"
#include "core/out_of_band.h"

namespace thistlebot {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes frame_of(uint8_t type, uint8_t seq, const Bytes& payload) {
  uint8_t frame[MAX_FRAME];
  const uint8_t size =
      encode_frame(type, seq, payload.data(), static_cast<uint8_t>(payload.size()), frame);
  return Bytes(frame, frame + size);
}

// The packets in a stream of bytes.
std::vector<Bytes> packets_in(const Bytes& stream) {
  std::vector<Bytes> found;
  FrameDecoder decoder{};
  for (const uint8_t byte : stream) {
    if (!decoder.feed(byte)) continue;
    const Packet packet = decoder.packet();
    Bytes whole = {packet.type, packet.seq};
    whole.insert(whole.end(), packet.payload, packet.payload + packet.size);
    found.push_back(whole);
  }
  return found;
}

Bytes random_payload(std::mt19937& random) {
  Bytes payload(random() % (protocol::MAX_PAYLOAD + 1));
  for (uint8_t& byte : payload) byte = static_cast<uint8_t>(random() % 3 ? random() : 0);
  return payload;
}

TEST(crc_of_the_check_string) {
  CHECK_EQUAL(crc16(reinterpret_cast<const uint8_t*>("123456789"), 9), 0x29B1);
}

TEST(constant_frames_are_what_the_encoder_makes) {
  const Bytes abort = frame_of(static_cast<uint8_t>(protocol::MessageType::ABORT), 0, {});
  const Bytes status = frame_of(static_cast<uint8_t>(protocol::MessageType::STATUS_REQUEST), 0, {});
  CHECK_EQUAL(abort.size(), protocol::ABORT_FRAME_SIZE);
  CHECK(std::memcmp(abort.data(), protocol::ABORT_FRAME, abort.size()) == 0);
  CHECK_EQUAL(status.size(), protocol::STATUS_REQUEST_FRAME_SIZE);
  CHECK(std::memcmp(status.data(), protocol::STATUS_REQUEST_FRAME, status.size()) == 0);
}

TEST(frames_come_back_as_they_went) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const Bytes payload = random_payload(random);
    const uint8_t type = static_cast<uint8_t>(random());
    const uint8_t seq = static_cast<uint8_t>(random());
    const Bytes frame = frame_of(type, seq, payload);
    CHECK(frame.size() <= MAX_FRAME);
    for (size_t k = 1; k + 1 < frame.size(); ++k) CHECK(frame[k] != 0);
    const std::vector<Bytes> found = packets_in(frame);
    CHECK_EQUAL(found.size(), 1);
    Bytes expected = {type, seq};
    expected.insert(expected.end(), payload.begin(), payload.end());
    CHECK(found[0] == expected);
  }
}

TEST(damaged_frames_are_dropped) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    const Bytes payload = random_payload(random);
    Bytes whole = {0x10, static_cast<uint8_t>(i)};
    whole.insert(whole.end(), payload.begin(), payload.end());
    const Bytes frame = frame_of(0x10, static_cast<uint8_t>(i), payload);
    for (size_t bit = 0; bit < 8 * frame.size(); ++bit) {
      Bytes damaged = frame;
      damaged[bit / 8] = static_cast<uint8_t>(damaged[bit / 8] ^ 1 << bit % 8);
      // A flip in a delimiter may leave the packet whole; anything else must not come out.
      for (const Bytes& found : packets_in(damaged)) CHECK(found == whole);
    }
    for (size_t size = 0; size + 1 < frame.size(); ++size) {
      CHECK(packets_in(Bytes(frame.begin(), frame.begin() + static_cast<long>(size))).empty());
    }
  }
}

TEST(a_frame_after_noise_is_found) {
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    Bytes stream(random() % 200);
    for (uint8_t& byte : stream) byte = static_cast<uint8_t>(random());
    const Bytes frame = frame_of(0x11, 7, {1, 2, 3});
    stream.insert(stream.end(), frame.begin(), frame.end());
    const std::vector<Bytes> found = packets_in(stream);
    CHECK(!found.empty());
    CHECK(found.back() == (Bytes{0x11, 7, 1, 2, 3}));
  }
}

TEST(noise_does_not_crash_the_decoder) {
  std::mt19937 random(4);
  FrameDecoder decoder{};
  OutOfBand out_of_band;
  for (int i = 0; i < 3000000; ++i) {
    const uint8_t byte = static_cast<uint8_t>(random() % 5 ? random() : 0);
    decoder.feed(byte);
    out_of_band.feed(byte);
  }
}

TEST(the_interrupt_finds_exactly_the_constant_frames) {
  std::mt19937 random(5);
  const Bytes abort(protocol::ABORT_FRAME, protocol::ABORT_FRAME + protocol::ABORT_FRAME_SIZE);
  const Bytes status(protocol::STATUS_REQUEST_FRAME,
                     protocol::STATUS_REQUEST_FRAME + protocol::STATUS_REQUEST_FRAME_SIZE);
  FrameDecoder decoder{};
  OutOfBand out_of_band;
  int aborts = 0;
  int statuses = 0;
  for (int i = 0; i < 50000; ++i) {
    Bytes piece;
    switch (random() % 5) {
      case 0: piece = abort; break;
      case 1: piece = status; break;
      case 2: piece = frame_of(0x10, 3, random_payload(random)); break;
      case 3: piece = abort; piece[random() % piece.size()] ^= static_cast<uint8_t>(1 << random() % 8); break;
      default: piece = Bytes(1, static_cast<uint8_t>(random())); break;
    }
    for (const uint8_t byte : piece) {
      const uint8_t found = out_of_band.feed(byte);
      const bool packet = decoder.feed(byte);
      const uint8_t type = packet ? decoder.packet().type : 0;
      const bool plain = packet && decoder.packet().size == 0 && decoder.packet().seq == 0;
      CHECK_EQUAL(found == OutOfBand::ABORT, plain && type == 3);
      CHECK_EQUAL(found == OutOfBand::STATUS_REQUEST, plain && type == 2);
      aborts += found == OutOfBand::ABORT;
      statuses += found == OutOfBand::STATUS_REQUEST;
    }
  }
  CHECK(aborts > 5000);
  CHECK(statuses > 5000);
}

}  // namespace
}  // namespace thistlebot
