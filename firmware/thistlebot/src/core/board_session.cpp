// The board's communication with the host: receives packets, executes them, answers.
#include "board.h"
#include "hardware.h"
#include "version.h"

namespace thistlebot {

using protocol::EventKind;
using protocol::Flag;
using protocol::MessageType;

namespace {

// Nothing is taken from the receive ring unless the answers to it fit into the transmit ring.
constexpr uint8_t ANSWER_SPACE = 2 * MAX_FRAME;
// The main loop continues on a saturated line, because servos and time-outs depend on it.
constexpr uint8_t MOST_AT_ONCE = 32;

}  // namespace

void Board::receive() {
  uint8_t byte = 0;
  uint8_t left = MOST_AT_ONCE;
  while (left-- != 0 && hardware::transmit_space() >= ANSWER_SPACE && hardware::receive(byte)) {
    if (decoder_.feed(byte)) handle(decoder_.packet());
  }
}

void Board::handle(const Packet& packet) {
  heard_ms_ = now_ms_;
  const bool fits = protocol::payload_fits(packet.type, packet.size);
  if (packet.type == static_cast<uint8_t>(MessageType::HELLO)) {
    if (fits) send_hello_reply(protocol::HelloMessage::read(packet.payload).nonce);
    return;
  }
  if (fits && !protocol::is_sequenced(packet.type)) return;  // done by the receive interrupt
  if (packet.seq != next_seq_) {
    ack_wanted_ = true;  // tells the host where to continue
    return;
  }
  const uint8_t outcome =
      fits ? carry_out(packet) : static_cast<uint8_t>(Reason::UNKNOWN_TYPE);
  if (outcome != ACCEPTED) {
    send_nak(packet.type, outcome);
    return;
  }
  ++next_seq_;
  ack_wanted_ = true;
}

uint8_t Board::carry_out(const Packet& packet) {
  switch (static_cast<MessageType>(packet.type)) {
    case MessageType::STEP: return step(packet);
    case MessageType::SET: return set(packet.payload);
    case MessageType::ENABLE: return enable(packet.payload);
    case MessageType::CLEAR: return clear();
    default: return static_cast<uint8_t>(Reason::UNKNOWN_TYPE);
  }
}

uint8_t Board::set(const uint8_t* payload) {
  if (moving()) return static_cast<uint8_t>(Reason::BUSY);
  const protocol::SetMessage wanted = protocol::SetMessage::read(payload);
  const bool stall_each = wanted.key == static_cast<uint8_t>(protocol::Setting::STALL_INPUT) &&
                          wanted.value == static_cast<uint8_t>(protocol::StallInput::EACH);
  const bool no_such_line = wanted.key == static_cast<uint8_t>(protocol::Setting::DRIVER_ADDRESS) &&
                            wanted.value > 4 * DRIVER_LINES;
  if (no_such_line || (stall_each && !hardware::has_stall_line_each())) {
    return static_cast<uint8_t>(Reason::OUT_OF_RANGE);
  }
  bool changed = false;
  const uint8_t outcome = settings_.set(wanted.key, wanted.motor, wanted.value, changed);
  if (outcome != Settings::OK) return outcome;
  if (!polarity_known_ && wanted.key == static_cast<uint8_t>(protocol::Setting::ENABLE_POLARITY)) {
    polarity_known_ = true;
    changed = true;  // kept, so that the next start knows it from the first moment
  }
  if (!changed) return ACCEPTED;
  if (wanted.motor != protocol::NO_MOTOR) {
    motion_.configure_motor(wanted.motor, settings_.motor(wanted.motor));
    if (DRIVER_LINES != 0) driver_setup_.changed(wanted.motor);
  } else {
    motion_.configure_gap(settings_.common().gap_us);
    drivers(drivers_on_);  // the polarity may have changed
  }
  store_.settings_changed(now_ms_);
  return ACCEPTED;
}

uint8_t Board::enable(const uint8_t* payload) {
  const uint8_t on = protocol::EnableMessage::read(payload).on;
  if (on > 1) return static_cast<uint8_t>(Reason::OUT_OF_RANGE);
  if (on != 0 && state_ == State::MOVING) return ACCEPTED;
  if (moving()) return static_cast<uint8_t>(Reason::BUSY);
  if (on == 0) {
    if (drivers_on_) alignment_unknown_ = true;
    drivers(false);
    servos_.release_all();
    if (state_ != State::ESTOP) state_ = State::DISABLED;
    return ACCEPTED;
  }
  if (state_ == State::ESTOP) return static_cast<uint8_t>(Reason::ESTOP);
  if (state_ == State::ABORTED) return static_cast<uint8_t>(Reason::ABORTED);
  if (!polarity_known_) store_.settings_changed(now_ms_);
  polarity_known_ = true;
  if (state_ == State::DISABLED) forget_stop();  // before the drivers: a stop from now on counts
  if (!drivers_on_ || alignment_unknown_) actions_.count_from_here();
  const bool were_on = drivers_on_;
  if (!drivers(true)) return static_cast<uint8_t>(Reason::ESTOP);
  if (!were_on) enabled_ms_ = now_ms_;
  if (DRIVER_LINES != 0) driver_setup_.check(settings_);
  getting_ready_ = true;  // for the rest of the time, where the current is on already
  state_ = State::IDLE;
  active_ms_ = now_ms_;
  alignment_unknown_ = false;
  return ACCEPTED;
}

uint8_t Board::clear() {
  if (moving()) return static_cast<uint8_t>(Reason::BUSY);
  if (state_ == State::ESTOP) {
    if (hardware::estop_open()) return static_cast<uint8_t>(Reason::ESTOP);
    state_ = State::DISABLED;
  } else if (state_ == State::ABORTED) {
    state_ = drivers_on_ ? State::IDLE : State::DISABLED;
    active_ms_ = now_ms_;
  }
  forget_stop();
  return ACCEPTED;
}

void Board::forget_stop() {
  fault_ = Fault::NONE;
  motion_.release();
  motion_.clear_cut();
  actions_.forget();
}

void Board::send_pending() {
  if (ack_wanted_ && hardware::transmit_space() >= MAX_FRAME) {
    ack_wanted_ = false;
    send_ack();
  }
  if (status_wanted_ && hardware::transmit_space() >= MAX_FRAME) {
    status_wanted_ = false;
    send_status();
  }
  if (events_ != 0 && hardware::transmit_space() >= MAX_FRAME) send_next_event();
}

bool Board::send_next_event() {
  uint8_t kind = 0;
  while ((events_ >> kind & 1) == 0) ++kind;
  events_ = static_cast<uint8_t>(events_ & ~(1 << kind));
  protocol::EventMessage event;
  event.kind = kind;
  event.arg = static_cast<EventKind>(kind) == EventKind::ABORTED ? static_cast<uint8_t>(fault_)
              : static_cast<EventKind>(kind) == EventKind::STALL ? stalled_motor_
                                                                 : 0;
  event.executed = executed_;
  uint8_t bytes[protocol::EventMessage::SIZE];
  event.write(bytes);
  send(protocol::EventMessage::TYPE, bytes, sizeof bytes);
  return true;
}

void Board::send(MessageType type, const uint8_t* payload, uint8_t size) {
  uint8_t frame[MAX_FRAME];
  const uint8_t length = encode_frame(static_cast<uint8_t>(type), sent_++, payload, size, frame);
  for (uint8_t i = 0; i < length; ++i) hardware::transmit(frame[i]);
}

void Board::send_hello_reply(uint16_t nonce) {
  protocol::HelloReplyMessage reply;
  reply.nonce = nonce;
  reply.protocol = protocol::PROTOCOL_VERSION;
  reply.firmware_major = VERSION_MAJOR;
  reply.firmware_minor = VERSION_MINOR;
  reply.firmware_patch = VERSION_PATCH;
  reply.board = static_cast<uint8_t>(kind_);
  reply.boot_id = store_.boot_id();
  reply.reset_cause = static_cast<uint8_t>(cause_);
  reply.state = static_cast<uint8_t>(state_);
  reply.next_seq = next_seq_;
  reply.credits = free_places();
  reply.accepted = accepted_;
  reply.executed = executed_;
  reply.motors = MOTORS;
  reply.queue_size = protocol::QUEUE_PLACES;
  reply.lanes = LANES;
  reply.servos = hardware::servo_count();
  reply.outputs = hardware::output_count();
  reply.switches = hardware::switch_count();
  uint8_t bytes[protocol::HelloReplyMessage::SIZE];
  reply.write(bytes);
  send(protocol::HelloReplyMessage::TYPE, bytes, sizeof bytes);
}

void Board::send_ack() {
  protocol::AckMessage ack;
  ack.next_seq = next_seq_;
  ack.credits = free_places();
  ack.accepted = accepted_;
  ack.executed = executed_;
  uint8_t bytes[protocol::AckMessage::SIZE];
  ack.write(bytes);
  send(protocol::AckMessage::TYPE, bytes, sizeof bytes);
}

void Board::send_nak(uint8_t refused, uint8_t reason) {
  protocol::NakMessage nak;
  nak.next_seq = next_seq_;
  nak.refused = refused;
  nak.reason = reason;
  uint8_t bytes[protocol::NakMessage::SIZE];
  nak.write(bytes);
  send(protocol::NakMessage::TYPE, bytes, sizeof bytes);
}

void Board::send_status() {
  const bool held = button_.down();
  const bool cut = motion_.cut_short() || (!moving() && actions_.was_cut());
  protocol::StatusMessage status;
  status.state = static_cast<uint8_t>(state_);
  status.flags = static_cast<uint8_t>(
      (alignment_unknown_ ? static_cast<uint8_t>(Flag::ALIGNMENT_UNKNOWN) : 0) |
      (held ? static_cast<uint8_t>(Flag::BUTTON_DOWN) : 0) |
      (hardware::estop_open() ? static_cast<uint8_t>(Flag::ESTOP_DOWN) : 0) |
      (cut ? static_cast<uint8_t>(Flag::CUT_SHORT) : 0));
  status.credits = free_places();
  status.accepted = accepted_;
  status.executed = executed_;
  status.next_seq = next_seq_;
  status.fault = static_cast<uint8_t>(fault_);
  status.servos_on = servos_.with_pulses();
  status.no_answer = DRIVER_LINES != 0 && fault_ == Fault::BOARD_ERROR ? driver_setup_.failed() : 0;
  uint8_t bytes[protocol::StatusMessage::SIZE];
  status.write(bytes);
  send(protocol::StatusMessage::TYPE, bytes, sizeof bytes);
}

}  // namespace thistlebot
