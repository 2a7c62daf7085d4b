// A host gone mad: whatever bytes arrive, the board stays within its rules. Run by `host-test fuzz N`,
// under the address and undefined-behaviour sanitizers like everything here.
#include "fuzz.h"

#include <random>
#include <vector>

#include "check.h"
#include "core/board.h"
#include "core/frame.h"
#include "virtual_hardware.h"

namespace thistlebot {
namespace {

using protocol::MessageType;

using Bytes = std::vector<uint8_t>;

class Fuzzer {
 public:
  explicit Fuzzer(uint32_t seed) : random_(seed) {
    for (auto& line : fixture_.hardware.drivers) {
      for (VirtualHardware::Driver& driver : line) driver.present = true;
    }
    board_.begin(protocol::BoardKind::HOST, protocol::ResetCause::POWER_ON);
  }

  FuzzCounts run(long packets) {
    for (long i = 0; i < packets; ++i) {
      Bytes bytes = packet();
      if (chance(3)) damage(bytes);
      send(bytes);
      live(chance(20) ? 1 + below(40) : below(2));
      if (chance(2000)) fixture_.hardware.estop_open = !fixture_.hardware.estop_open;
      if (chance(500)) fixture_.hardware.button_down = !fixture_.hardware.button_down;
      ++counts_.packets;
    }
    return counts_;
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_()) % limit; }
  bool chance(uint32_t one_in) { return below(one_in) == 0; }
  uint8_t byte() { return static_cast<uint8_t>(random_()); }

  // Mostly what a host says; sometimes any type with any payload of any length.
  Bytes packet() {
    static const MessageType kinds[] = {MessageType::HELLO,     MessageType::STATUS_REQUEST,
                                        MessageType::MOVE_STEP, MessageType::MOVE_STEP,
                                        MessageType::MOVE_STEP, MessageType::SET,
                                        MessageType::GET,       MessageType::ENABLE,
                                        MessageType::ENABLE,    MessageType::CLEAR};
    MessageType type = kinds[below(sizeof kinds / sizeof *kinds)];
    if (board_.state() == protocol::State::DISABLED && chance(2)) type = MessageType::ENABLE;
    if (board_.state() >= protocol::State::ABORTED && chance(2)) type = MessageType::CLEAR;
    if (chance(200)) type = MessageType::ABORT;
    uint8_t code = static_cast<uint8_t>(type);
    Bytes payload;
    if (chance(20)) {
      code = byte();
      payload.resize(below(protocol::MAX_PAYLOAD + 1));
      for (uint8_t& each : payload) each = byte();
    } else {
      payload = payload_of(type);
    }
    const uint8_t seq = !protocol::is_sequenced(code) ? 0 : chance(10) ? byte() : next_seq_;
    uint8_t frame[MAX_FRAME];
    const uint8_t size =
        encode_frame(code, seq, payload.data(), static_cast<uint8_t>(payload.size()), frame);
    return Bytes(frame, frame + size);
  }

  Bytes payload_of(MessageType type) {
    Bytes payload(static_cast<size_t>(protocol::payload_size(static_cast<uint8_t>(type))));
    for (uint8_t& each : payload) each = byte();
    if (type == MessageType::ENABLE && !chance(5)) payload[0] = chance(20) ? 0 : 1;
    if (type == MessageType::MOVE_STEP && !chance(5)) {
      protocol::MoveStepMessage move;
      move.number = static_cast<uint16_t>(accepted_ + 1);
      move.motor_a = static_cast<uint8_t>(below(6));
      move.quarters_a = chance(2) ? 1 : -2;
      move.motor_b = chance(2) ? protocol::NO_MOTOR : static_cast<uint8_t>((move.motor_a + 3) % 6);
      move.quarters_b = move.motor_b == protocol::NO_MOTOR ? 0 : -1;
      move.overlap = chance(2) ? 0 : byte();
      move.write(payload.data());
    }
    if (type == MessageType::SET || type == MessageType::GET) {
      payload[0] = static_cast<uint8_t>(chance(2) ? 1 + below(5) : 16 + below(5));
      payload[1] = static_cast<uint8_t>(payload[0] < 16 ? below(7) : 0xFF);
    }
    if (type == MessageType::SET) {
      // Fast motors, or every turn would take longer than all packets together.
      static const uint32_t bases[] = {0, 4, 20000, 4000000, 0};
      static const uint32_t spans[] = {1, 100, 30000, 16000000, 2};
      const bool usual = payload[0] < 5 && !chance(20);
      const uint32_t value = usual ? bases[payload[0]] + below(spans[payload[0]])
                                   : static_cast<uint32_t>(random_()) >> below(32);
      const bool slow = payload[0] == 2 && value < 10000;
      protocol::write_u32(payload.data() + 2, slow ? 60000 : value);
    }
    return payload;
  }

  void damage(Bytes& bytes) {
    ++counts_.damaged;
    const size_t place = below(static_cast<uint32_t>(bytes.size()));
    const long at = static_cast<long>(place);
    switch (below(5)) {
      case 0: bytes[place] = static_cast<uint8_t>(bytes[place] ^ 1 << below(8)); break;
      case 1: bytes.erase(bytes.begin() + at); break;
      case 2: bytes.insert(bytes.begin() + at, byte()); break;
      case 3: bytes.resize(place); break;
      default:
        for (uint32_t i = 0; i < 1 + below(60); ++i) bytes.push_back(byte());
    }
  }

  // What the receive interrupt does.
  void feed_interrupt(uint8_t byte) {
    const uint8_t found = out_of_band_.feed(byte);
    if (found != OutOfBand::NOTHING) board_.on_out_of_band(found);
  }

  void send(const Bytes& bytes) {
    for (const uint8_t each : bytes) {
      feed_interrupt(each);
      fixture_.hardware.to_board.push_back(each);
    }
  }

  void live(uint32_t ms) {
    VirtualHardware& hardware = fixture_.hardware;
    board_.poll(ms_);
    for (uint32_t i = 0; i < ms; ++i) {
      hardware.run_until(hardware.now + 16000, [this](uint8_t lane) { board_.on_timer(lane); });
      board_.poll(++ms_);
    }
    counts_.steps += static_cast<long>(hardware.steps.size());
    for (const Step& step : hardware.steps) CHECK(step.motor < MOTORS);
    hardware.steps.clear();
    if (hardware.estop_open && ms > 0) CHECK(!hardware.drivers_on);  // a spike is no stop
    CHECK(board_.state() <= protocol::State::ESTOP);
    listen();
  }

  // Everything that the board says is well formed, and its counts never go wrong.
  void listen() {
    for (const uint8_t each : fixture_.hardware.from_board) {
      if (!decoder_.feed(each)) continue;
      const Packet packet = decoder_.packet();
      ++counts_.answers;
      switch (static_cast<MessageType>(packet.type)) {
        case MessageType::ACK: {
          const auto ack = protocol::AckMessage::read(packet.payload);
          next_seq_ = ack.next_seq;
          note(ack.accepted, ack.executed, ack.credits);
          break;
        }
        case MessageType::STATUS: {
          const auto status = protocol::StatusMessage::read(packet.payload);
          next_seq_ = status.next_seq;
          note(status.accepted, status.executed, status.credits);
          break;
        }
        case MessageType::HELLO_REPLY: {
          const auto reply = protocol::HelloReplyMessage::read(packet.payload);
          next_seq_ = reply.next_seq;
          note(reply.accepted, reply.executed, reply.credits);
          break;
        }
        case MessageType::NAK:
        case MessageType::VALUE:
        case MessageType::EVENT: break;
        default: CHECK(false);
      }
    }
    fixture_.hardware.from_board.clear();
  }

  void note(uint32_t accepted, uint32_t executed, uint8_t credits) {
    CHECK(executed >= executed_);
    CHECK(accepted >= executed);
    CHECK(accepted - executed <= QUEUE_SIZE + 2);  // turns under way take no place
    CHECK(credits <= QUEUE_SIZE);
    counts_.turns += static_cast<long>(executed - executed_);
    accepted_ = accepted;
    executed_ = executed;
  }

  Fixture fixture_;
  Board board_;
  std::mt19937 random_;
  OutOfBand out_of_band_;
  FrameDecoder decoder_;
  FuzzCounts counts_ = {};
  uint32_t ms_ = 0;
  uint8_t next_seq_ = 0;
  uint32_t accepted_ = 0;
  uint32_t executed_ = 0;
};

TEST(a_mad_host_gets_nowhere) {
  const FuzzCounts counts = fuzz(1000000, 1);
  CHECK_EQUAL(counts.packets, 1000000);
  CHECK(counts.damaged > 300000);
  CHECK(counts.turns > 10000);
  CHECK(counts.answers > 500000);
}

}  // namespace

FuzzCounts fuzz(long packets, uint32_t seed) { return Fuzzer(seed).run(packets); }

}  // namespace thistlebot
