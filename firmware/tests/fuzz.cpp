// A random host: whatever bytes arrive, the board obeys its rules. Run by `host-test fuzz N`,
// under the address and undefined-behaviour sanitizers like everything here.
#include "fuzz.h"

#include <random>
#include <vector>

#include "check.h"
#include "core/board.h"
#include "core/frame.h"
#include "host_messages.h"
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
      const size_t place = below(4);
      if (chance(20)) fixture_.hardware.switches[place] = !fixture_.hardware.switches[place];
      if (chance(200)) fixture_.hardware.stall_line = !fixture_.hardware.stall_line;
      ++counts_.packets;
    }
    return counts_;
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_()) % limit; }
  bool chance(uint32_t one_in) { return below(one_in) == 0; }
  uint8_t byte() { return static_cast<uint8_t>(random_()); }

  // Mostly a host's messages; sometimes any type with any payload of any length.
  Bytes packet() {
    static const MessageType kinds[] = {MessageType::HELLO,     MessageType::STATUS_REQUEST,
                                        MessageType::STEP, MessageType::STEP,
                                        MessageType::STEP, MessageType::SET,
                                        MessageType::ENABLE, MessageType::ENABLE,
                                        MessageType::CLEAR};
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
    uint8_t size = 0;
    while (!protocol::payload_fits(static_cast<uint8_t>(type), size)) ++size;
    Bytes payload(size);
    for (uint8_t& each : payload) each = byte();
    if (type == MessageType::ENABLE && !chance(5)) payload[0] = chance(20) ? 0 : 1;
    if (type == MessageType::STEP && !chance(5)) payload = step();
    if (type == MessageType::SET) {
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

  // Mostly a step that the board accepts, of any actions.
  Bytes step() {
    const uint8_t count = static_cast<uint8_t>(chance(2) ? 1 : 1 + below(protocol::MAX_ACTIONS));
    Bytes payload(protocol::StepMessage::SIZE + count * protocol::Action::SIZE);
    const uint8_t begin = chance(2) ? 0 : static_cast<uint8_t>(below(2));
    const uint16_t value = static_cast<uint16_t>(begin == 0 ? 0 : below(chance(2) ? 60 : 0x10000));
    write(protocol::StepMessage{static_cast<uint16_t>(accepted_ + 1), begin, value}, payload.data());
    const uint8_t first = static_cast<uint8_t>(below(6));
    for (uint8_t i = 0; i < count; ++i) {
      const bool plain = chance(2);
      const uint8_t kind = plain ? 0 : static_cast<uint8_t>(below(7));
      write(action(kind, static_cast<uint8_t>((first + 3 * i) % 6)),
            payload.data() + protocol::StepMessage::SIZE + i * protocol::Action::SIZE);
    }
    return payload;
  }

  protocol::Action action(uint8_t kind, uint8_t channel) {
    using protocol::ActionKind;
    protocol::Action made = {kind, channel, 1, 0, 0};
    switch (static_cast<ActionKind>(kind)) {
      case ActionKind::TURN: made.value = chance(2) ? 1 : -2; break;
      case ActionKind::MOVE_BY:
      case ActionKind::MOVE_TO:
        made.value = static_cast<int16_t>(below(400) - 200);
        break;
      case ActionKind::POSITION:
        made.value = static_cast<int16_t>(chance(10) ? 0 : 500 + below(2001));
        made.speed = byte();
        made.detail = static_cast<uint8_t>(below(4));
        break;
      case ActionKind::HOME:
        made.value = static_cast<int16_t>(below(400) - 200);
        made.detail = static_cast<uint8_t>(chance(2) ? protocol::STALL : below(4));
        break;
      case ActionKind::WAIT:
        made.channel = 0;
        made.value = static_cast<int16_t>(1 + below(20));
        break;
      default:
        made.channel = static_cast<uint8_t>(below(4));
        made.value = static_cast<int16_t>(below(2));
    }
    if (chance(50)) made.value = static_cast<int16_t>(random_());
    if (chance(50)) made.speed = byte();
    if (chance(50)) made.detail = byte();
    if (chance(50)) made.channel = byte();
    return made;
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

  // The receive interrupt's work.
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
    const bool stopped = board_.state() == protocol::State::ESTOP;
    board_.poll(ms_);
    for (uint32_t i = 0; i < ms; ++i) {
      hardware.run_until(hardware.now + 16000, [this](uint8_t lane) { board_.on_timer(lane); });
      board_.poll(++ms_);
    }
    counts_.steps += static_cast<long>(hardware.steps.size());
    for (const Step& step : hardware.steps) CHECK(step.motor < MOTORS);
    hardware.steps.clear();
    counts_.pulses += static_cast<long>(hardware.pulses.size());
    for (const Pulse& pulse : hardware.pulses) {
      CHECK(pulse.us == 0 ||
            (pulse.us >= protocol::SHORTEST_PULSE_US && pulse.us <= protocol::LONGEST_PULSE_US));
    }
    if (stopped && board_.state() == protocol::State::ESTOP) {  // ENABLE off may release the servos
      for (const Pulse& pulse : hardware.pulses) CHECK_EQUAL(pulse.us, 0);
    }
    hardware.pulses.clear();
    counts_.switched += static_cast<long>(hardware.switched.size());
    hardware.switched.clear();
    if (hardware.estop_open && ms > 0) CHECK(!hardware.drivers_on);  // a spike is no stop
    CHECK(board_.state() <= protocol::State::ESTOP);
    listen();
  }

  // All messages of the board are well formed, and its counters are always right.
  void listen() {
    for (const uint8_t each : fixture_.hardware.from_board) {
      if (!decoder_.feed(each)) continue;
      const Packet packet = decoder_.packet();
      ++counts_.answers;
      switch (static_cast<MessageType>(packet.type)) {
        case MessageType::ACK: {
          protocol::AckMessage ack;
          read(packet.payload, ack);
          next_seq_ = ack.next_seq;
          note(ack.accepted, ack.executed, ack.credits);
          break;
        }
        case MessageType::STATUS: {
          protocol::StatusMessage status;
          read(packet.payload, status);
          next_seq_ = status.next_seq;
          note(status.accepted, status.executed, status.credits);
          break;
        }
        case MessageType::HELLO_REPLY: {
          protocol::HelloReplyMessage reply;
          read(packet.payload, reply);
          next_seq_ = reply.next_seq;
          note(reply.accepted, reply.executed, reply.credits);
          break;
        }
        case MessageType::NAK:
        case MessageType::EVENT: break;
        default: CHECK(false);
      }
    }
    fixture_.hardware.from_board.clear();
  }

  void note(uint32_t accepted, uint32_t executed, uint8_t credits) {
    CHECK(executed >= executed_);
    CHECK(accepted >= executed);
    CHECK(accepted - executed <= protocol::QUEUE_PLACES + 2);  // running turns take no place
    CHECK(credits <= protocol::QUEUE_PLACES);
    counts_.turns += static_cast<long>(executed - executed_);
    accepted_ = accepted;
    executed_ = executed;
  }

  Fixture fixture_;
  Board board_{};
  std::mt19937 random_;
  OutOfBand out_of_band_;
  FrameDecoder decoder_{};
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
  CHECK(counts.pulses > 10000);
  CHECK(counts.switched > 1000);
  CHECK(counts.answers > 500000);
}

}  // namespace

FuzzCounts fuzz(long packets, uint32_t seed) { return Fuzzer(seed).run(packets); }

}  // namespace thistlebot
