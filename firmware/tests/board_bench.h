// A board in simulated time, driven like a host does: bytes in, bytes out.
#pragma once

#include <vector>

#include "check.h"
#include "core/board.h"
#include "core/frame.h"
#include "host_messages.h"
#include "virtual_hardware.h"

namespace thistlebot {
using protocol::Action;
using protocol::ActionKind;
using protocol::Begin;
using protocol::EventKind;
using protocol::Fault;
using protocol::Flag;
using protocol::MessageType;
using protocol::Reason;
using protocol::Setting;
using protocol::State;

using Bytes = std::vector<uint8_t>;

inline Action act(ActionKind kind, uint8_t channel, int16_t value, uint8_t speed = 0, uint8_t detail = 0) {
  return Action{static_cast<uint8_t>(kind), channel, value, speed, detail};
}

inline Action turn(uint8_t motor, int8_t quarters) { return act(ActionKind::TURN, motor, quarters); }

inline Bytes step_payload(uint16_t number, const std::vector<Action>& actions,
                   Begin begin = Begin::AFTER_END, uint16_t begin_value = 0) {
  Bytes payload(protocol::StepMessage::SIZE + actions.size() * Action::SIZE);
  write(protocol::StepMessage{number, static_cast<uint8_t>(begin), begin_value}, payload.data());
  uint8_t* to = payload.data() + protocol::StepMessage::SIZE;
  for (const Action& action : actions) {
    write(action, to);
    to += Action::SIZE;
  }
  return payload;
}

struct Received {
  uint8_t type;
  uint8_t seq;
  Bytes payload;
};

struct Bench : Fixture {
  Board board{};
  uint32_t ms = 0;
  uint8_t seq = 0;
  uint32_t accepted = 0;
  OutOfBand out_of_band;
  FrameDecoder decoder{};
  std::vector<Received> heard;

  Bench() {
    board.begin(protocol::BoardKind::HOST, protocol::ResetCause::POWER_ON);
    wait_ms(5);
  }

  void wait_ms(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      hardware.run_until(hardware.now + 16000, [this](uint8_t lane) { board.on_timer(lane); });
      board.poll(++ms);
      collect();
    }
  }

  void collect() {
    for (const uint8_t byte : hardware.from_board) {
      if (!decoder.feed(byte)) continue;
      const Packet packet = decoder.packet();
      heard.push_back(Received{packet.type, packet.seq,
                               Bytes(packet.payload, packet.payload + packet.size)});
    }
    hardware.from_board.clear();
  }

  // The receive interrupt's work.
  void feed_interrupt(uint8_t byte) {
    const uint8_t found = out_of_band.feed(byte);
    if (found != OutOfBand::NOTHING) board.on_out_of_band(found);
  }

  void send_bytes(const Bytes& bytes) {
    for (const uint8_t byte : bytes) {
      feed_interrupt(byte);
      hardware.to_board.push_back(byte);
    }
  }

  void send_packet(MessageType type, uint8_t number, const Bytes& payload) {
    uint8_t frame[MAX_FRAME];
    const uint8_t size = encode_frame(static_cast<uint8_t>(type), number, payload.data(),
                                      static_cast<uint8_t>(payload.size()), frame);
    send_bytes(Bytes(frame, frame + size));
  }

  template <class Message>
  static Bytes payload_of(const Message& message) {
    Bytes payload(Message::SIZE);
    write(message, payload.data());
    return payload;
  }

  // The last message of a type since the last call of forget().
  template <class Message>
  bool find(Message& message) const {
    for (size_t i = heard.size(); i-- > 0;) {
      if (heard[i].type != static_cast<uint8_t>(Message::TYPE)) continue;
      CHECK_EQUAL(heard[i].payload.size(), Message::SIZE);
      read(heard[i].payload.data(), message);
      return true;
    }
    return false;
  }

  bool event(EventKind kind) const {
    for (const Received& received : heard) {
      if (received.type == static_cast<uint8_t>(MessageType::EVENT) &&
          received.payload[0] == static_cast<uint8_t>(kind)) {
        return true;
      }
    }
    return false;
  }

  // The argument of the latest STALL event; 0xFFFF if there was none.
  uint16_t stalled() const {
    uint16_t motor = 0xFFFF;
    for (const Received& received : heard) {
      if (received.type == static_cast<uint8_t>(MessageType::EVENT) &&
          received.payload[0] == static_cast<uint8_t>(EventKind::STALL)) {
        protocol::EventMessage event;
        read(received.payload.data(), event);
        motor = event.arg;
      }
    }
    return motor;
  }

  void forget() { heard.clear(); }

  // Sends a sequenced message; 0 if it was taken, else the Reason.
  uint8_t request(MessageType type, const Bytes& payload) {
    forget();
    send_packet(type, seq, payload);
    wait_ms(2);
    protocol::NakMessage nak;
    if (find(nak)) {
      CHECK_EQUAL(nak.next_seq, seq);
      CHECK_EQUAL(nak.refused, static_cast<uint8_t>(type));
      return nak.reason;
    }
    protocol::AckMessage ack;
    CHECK(find(ack));
    ++seq;
    CHECK_EQUAL(ack.next_seq, seq);
    return 0;
  }

  uint8_t enable(uint8_t on) { return request(MessageType::ENABLE, {on}); }
  uint8_t clear() { return request(MessageType::CLEAR, {}); }

  uint8_t set(Setting key, uint8_t motor, uint32_t value) {
    return request(MessageType::SET,
                   payload_of(protocol::SetMessage{static_cast<uint8_t>(key), motor, value}));
  }

  uint8_t move(uint8_t a, int8_t qa, uint8_t b = protocol::NO_MOTOR, int8_t qb = 0) {
    std::vector<Action> actions = {turn(a, qa)};
    if (b != protocol::NO_MOTOR || qb != 0) actions.push_back(turn(b, qb));
    return step(actions);
  }

  uint8_t step(const std::vector<Action>& actions, Begin begin = Begin::AFTER_END,
               uint16_t begin_value = 0) {
    const uint8_t outcome = request(
        MessageType::STEP,
        step_payload(static_cast<uint16_t>(accepted + 1), actions, begin, begin_value));
    if (outcome == 0) ++accepted;
    return outcome;
  }

  static bool cut(const protocol::StatusMessage& told) {
    return (told.flags & static_cast<uint8_t>(Flag::CUT_SHORT)) != 0;
  }

  protocol::StatusMessage status() {
    forget();
    send_packet(MessageType::STATUS_REQUEST, 0, {});
    wait_ms(2);
    protocol::StatusMessage status;
    CHECK(find(status));
    return status;
  }

  State state() { return static_cast<State>(status().state); }
  void abort() { send_packet(MessageType::ABORT, 0, {}); }

  long position(uint8_t motor) const {
    long sum = 0;
    for (const Step& step : hardware.steps) {
      if (step.motor == motor) sum += step.high ? 1 : -1;
    }
    return sum;
  }
};

constexpr uint8_t code(Reason reason) { return static_cast<uint8_t>(reason); }

}  // namespace thistlebot
