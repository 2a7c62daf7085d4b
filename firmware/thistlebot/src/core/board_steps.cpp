// The steps that the board accepts or refuses, and when each of them begins.
#include "board.h"
#include "hardware.h"

namespace thistlebot {

using protocol::Action;
using protocol::ActionKind;
using protocol::Begin;

namespace {

// Things that two actions of a step cannot both want.
uint8_t thing_of(const Action& action) {
  switch (static_cast<ActionKind>(action.kind)) {
    case ActionKind::POSITION: return static_cast<uint8_t>(0x10 | action.channel);
    case ActionKind::OUTPUT: return static_cast<uint8_t>(0x20 | action.channel);
    case ActionKind::WAIT: return 0x30;
    default: return action.channel;
  }
}

bool is_motor(uint8_t thing) { return thing < 0x10; }

bool only_outputs(const ActionStep& step) {
  for (uint8_t i = 0; i < step.count; ++i) {
    if (step.actions[i].kind != static_cast<uint8_t>(ActionKind::OUTPUT)) return false;
  }
  return true;
}

}  // namespace

uint8_t Board::step(const Packet& packet) {
  const protocol::StepMessage head = protocol::StepMessage::read(packet.payload);
  ActionStep step;
  step.begin = static_cast<Begin>(head.begin);
  step.begin_value = head.begin_value;
  step.count = static_cast<uint8_t>((packet.size - protocol::StepMessage::SIZE) / Action::SIZE);
  for (uint8_t i = 0; i < step.count; ++i) {
    step.actions[i] = Action::read(packet.payload + protocol::StepMessage::SIZE + i * Action::SIZE);
  }
  // The lamp and the camera's light are wanted while the motors are off, too.
  const bool off = state_ == State::DISABLED || (state_ == State::IDLE && !drivers_on_);
  const bool at_once = off && only_outputs(step);
  if (off && !at_once) return static_cast<uint8_t>(Reason::NOT_ENABLED);
  if (state_ == State::ESTOP) return static_cast<uint8_t>(Reason::ESTOP);
  if (state_ == State::ABORTED || state_ == State::STOPPING || motion_.stop_requested()) {
    return static_cast<uint8_t>(Reason::ABORTED);
  }
  if (head.number != static_cast<uint16_t>(accepted_ + 1)) {
    return static_cast<uint8_t>(Reason::WRONG_NUMBER);
  }
  const uint8_t reason = refusal(step);
  if (reason != ACCEPTED) return reason;
  if (free_places() < step.places()) return static_cast<uint8_t>(Reason::NO_CREDIT);
  ++accepted_;
  if (at_once) {
    for (uint8_t i = 0; i < step.count; ++i) {
      const Action& action = step.actions[i];
      outputs_.set(action.channel, static_cast<protocol::OutputMode>(action.value));
    }
    ++executed_;
    return ACCEPTED;
  }
  state_ = State::MOVING;
  active_ms_ = now_ms_;
  queue_.put(step);
  begin_steps();
  return ACCEPTED;
}

uint8_t Board::refusal(const ActionStep& step) const {
  const uint8_t out_of_range = static_cast<uint8_t>(Reason::OUT_OF_RANGE);
  if (step.begin > Begin::ANGLE || (step.begin == Begin::ANGLE && !step.is_plain())) return out_of_range;
  if (step.begin == Begin::AFTER_END && step.begin_value != 0) return out_of_range;
  uint8_t motors = 0;
  for (uint8_t i = 0; i < step.count; ++i) {
    const uint8_t reason = refusal(step.actions[i]);
    if (reason != ACCEPTED) return reason;
    const uint8_t thing = thing_of(step.actions[i]);
    if (is_motor(thing)) ++motors;
    for (uint8_t k = 0; k < i; ++k) {
      if (thing_of(step.actions[k]) == thing) return out_of_range;
    }
  }
  return motors > protocol::MOTORS_TOGETHER ? out_of_range : ACCEPTED;
}

uint8_t Board::refusal(const Action& action) const {
  const int16_t value = action.value;
  bool fits = false;
  switch (static_cast<ActionKind>(action.kind)) {
    case ActionKind::TURN:
      fits = action.channel < MOTORS && value != 0 && value >= -2 && value <= 2 &&
             action.speed == 0 && action.detail == 0;
      break;
    case ActionKind::MOVE_BY:
    case ActionKind::MOVE_TO:
      fits = action.channel < MOTORS && value != INT16_MIN && action.speed == 0 &&
             action.detail == 0;
      break;
    case ActionKind::POSITION:
      fits = action.channel < hardware::servo_count() &&
             (value == 0 || (value >= static_cast<int16_t>(protocol::SHORTEST_PULSE_US) &&
                             value <= static_cast<int16_t>(protocol::LONGEST_PULSE_US)));
      break;
    case ActionKind::HOME:
      fits = action.channel < MOTORS && value != 0 && value != INT16_MIN && action.speed == 0 &&
             (action.detail == protocol::STALL ? settings_.common().stall_input != 0
                                               : action.detail < hardware::switch_count());
      break;
    case ActionKind::WAIT:
      fits = action.channel == 0 && value >= 1 &&
             value <= static_cast<int16_t>(protocol::LONGEST_WAIT_MS) && action.speed == 0 &&
             action.detail == 0;
      break;
    case ActionKind::OUTPUT:
      fits = action.channel < hardware::output_count() && value >= 0 &&
             value <= static_cast<int16_t>(protocol::OutputMode::ON) && action.speed == 0 &&
             action.detail == 0;
      break;
  }
  return fits ? ACCEPTED : static_cast<uint8_t>(Reason::OUT_OF_RANGE);
}

// Starts what may begin now: turns go to the lanes' own queue, other steps begin here.
void Board::begin_steps() {
  const uint16_t now_ms = static_cast<uint16_t>(now_ms_);
  if (getting_ready_) return;
  while (!queue_.empty() && state_ == State::MOVING && !motion_.stop_requested()) {
    if (queue_.turns_next()) {
      if (!actions_.idle() || motion_.free_slots() == 0) return;
      const PackedTurn turn = queue_.take_turns();
      actions_.note_turn(turn.a / 4);
      if (turn.b != PackedTurn::EMPTY) actions_.note_turn(turn.b / 4);
      motion_.push(turn);
    } else {
      if (!begin_actions(now_ms)) return;
    }
  }
}

// Separate, because the stack frame is set up with interrupts off, which would delay the steps.
bool Board::begin_actions(uint16_t now_ms) {
  ActionStep next;
  queue_.peek(next);
  if (!actions_.may_begin(next)) return false;
  queue_.drop();
  actions_.begin(next, now_ms);
  return true;
}

}  // namespace thistlebot
