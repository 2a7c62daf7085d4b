#include "actions.h"

#include "hardware.h"
#include "profile.h"

namespace thistlebot {

using protocol::Action;
using protocol::ActionKind;

namespace {

bool moves_motor(ActionKind kind) {
  return kind <= ActionKind::MOVE_TO || kind == ActionKind::HOME;
}

uint16_t steps_of(const Profile& profile) {
  return static_cast<uint16_t>(2 * profile.ramp_steps + profile.flat_steps + 1);
}

uint16_t signed_steps(uint16_t steps, bool backward) {
  return backward ? static_cast<uint16_t>(-steps) : steps;
}

}  // namespace

bool Actions::lives() const {
  for (const Part& part : parts_) {
    if (part.live) return true;
  }
  return false;
}

bool Actions::may_begin(const ActionStep& step) const {
  if (running_ || motion_.waiting() != 0 || !motion_.at_rest()) return false;
  if (!motion_.in_gap()) return true;
  for (uint8_t i = 0; i < step.count; ++i) {
    if (moves_motor(static_cast<ActionKind>(step.actions[i].kind))) return false;
  }
  return true;
}

void Actions::begin(const ActionStep& step, uint16_t now_ms) {
  running_ = true;
  began_ms_ = now_ms;
  cut_ = false;
  moves_motors_ = false;
  Travel travels[protocol::MOTORS_TOGETHER];
  uint8_t lanes_used = 0;
  const Action* action = step.actions;
  uint8_t left = step.count;
  for (Part& part : parts_) {
    part.live = false;
    part.later = false;
    part.note = 0;
    if (left == 0) continue;
    --left;
    part.action = *action++;
    const ActionKind kind = part.kind();
    const uint8_t channel = part.action.channel;
    part.live = kind != ActionKind::OUTPUT;
    if (moves_motor(kind)) {
      moves_motors_ = true;
      part.live = prepare(part, lanes_used, travels[lanes_used]);
      if (part.live) ++lanes_used;
      if (not_found_) cut_ = true;
    } else if (kind == ActionKind::POSITION) {
      servos_.aim(channel, static_cast<uint16_t>(part.action.value), part.action.speed);
    } else if (kind == ActionKind::OUTPUT) {
      outputs_.set(channel, static_cast<protocol::OutputMode>(part.action.value));
    }
  }
  if (lanes_used != 0) motion_.begin(travels, lanes_used);
}

// False if the motor has nowhere to go.
bool Actions::prepare(Part& part, uint8_t lane, Travel& travel) {
  const uint8_t channel = part.action.channel;
  const bool half = part.action.value == 2 || part.action.value == -2;
  part.lane = lane;
  part.note = part.action.value < 0;
  travel.motor = channel;
  travel.half = false;
  travel.profile = &profiles_[lane];
  if (part.kind() == ActionKind::TURN) {
    note_turn(channel);
    travel.half = half;
    travel.profile = &motion_.turn_profile(channel, half);
  } else {
    const uint16_t steps = way_of(part);
    if (steps == 0) return false;
    plan_travel(part.action, steps, profiles_[lane]);
  }
  travel.high = (part.note != 0) == motion_.turn_profile(channel, false).reversed;
  return true;
}

// Steps to make; for a position, with the direction. 0 for none.
uint16_t Actions::way_of(Part& part) {
  int16_t value = part.action.value;
  if (part.kind() == ActionKind::MOVE_TO) {
    const uint8_t channel = part.action.channel;
    const int16_t from = position_[channel];
    if (!counted_[channel]) not_found_ = true;
    if (!counted_[channel] || value == from) return 0;
    part.note = value < from;
    // As unsigned numbers: the way may be twice as long as a position.
    value = static_cast<int16_t>(static_cast<uint16_t>(value) - static_cast<uint16_t>(from));
  }
  return signed_steps(static_cast<uint16_t>(value), part.note != 0);
}

void Actions::plan_travel(const Action& action, uint16_t steps, Profile& profile) {
  const MotorSettings& motor = settings_.motor(action.channel);
  make_profile(steps > 1 ? steps : 2, motor.rate_steps_s, motor.acceleration_steps_s2, profile);
  if (steps == 1) profile.flat_steps = 0;
}

void Actions::poll(uint16_t now_ms, uint8_t stalled) {
  if (!running_) return;
  for (Part& part : parts_) {
    if (part.live) poll_part(part, now_ms, stalled);
  }
}

void Actions::poll_part(Part& part, uint16_t now_ms, uint8_t stalled) {
  const ActionKind kind = part.kind();
  if (moves_motor(kind)) {
    poll_motor(part, stalled);
    return;
  }
  const uint16_t value = static_cast<uint16_t>(part.action.value);
  if (kind == ActionKind::WAIT) {
    if (static_cast<uint16_t>(now_ms - began_ms_) < value) return;
  } else {  // POSITION
    if (!servos_.reached(part.action.channel)) return;
    if (!part.later) {
      part.later = true;
      part.note = static_cast<uint16_t>(now_ms + protocol::DWELL_MS * part.action.detail);
    }
    if (static_cast<int16_t>(now_ms - part.note) < 0) return;
  }
  part.live = false;
}

void Actions::poll_motor(Part& part, uint8_t stalled) {
  const uint8_t lane = part.lane;
  const bool active = (motion_.active() >> lane & 1) != 0;
  if (part.kind() == ActionKind::HOME && !part.later && (active || !lanes[lane].cut)) {
    const bool by_stall = part.action.detail == protocol::STALL;
    const bool found = by_stall ? (stalled >> part.action.channel & 1) != 0
                                : hardware::switch_closed(part.action.detail);
    if (found) {
      part.later = true;
      part.note = motion_.made(lane);
      if (active && by_stall) {
        end_motor(part, motion_.freeze(lane));
        return;
      }
      if (active) motion_.brake(lane);
    }
  }
  if (active || motion_.halted()) return;  // halted: it stopped, and has not ended
  end_motor(part, motion_.made(lane));
}

void Actions::end_motor(Part& part, uint16_t made) {
  const Lane& lane = lanes[part.lane];
  const bool cut = lane.cut;
  int16_t& position = position_[part.action.channel];
  bool backward = part.note != 0;
  part.live = false;
  if (part.kind() == ActionKind::TURN) {
    if (cut) cut_ = true;
    return;
  }
  if (part.kind() == ActionKind::HOME) {
    backward = part.action.value < 0;
    if (part.later) {  // the steps count from where the place was found
      position = static_cast<int16_t>(-static_cast<int16_t>(signed_steps(part.note, backward)));
      counted_[part.action.channel] = true;
    } else {
      cut_ = true;
      if (!cut) not_found_ = true;
    }
  } else if (made != steps_of(profiles_[part.lane])) {
    cut_ = true;
  }
  const uint16_t way = signed_steps(made, backward);
  const bool below = position < 0;
  position = static_cast<int16_t>(static_cast<uint16_t>(position) + way);
  if (part.kind() != ActionKind::MOVE_TO && below == backward && (position < 0) != backward) {
    counted_[part.action.channel] = false;  // beyond what can be counted
  }
}

bool Actions::take_ended() {
  if (!running_ || cut_ || lives()) return false;
  running_ = false;
  return true;
}

uint8_t Actions::homing_on_stall() const {
  uint8_t channels = 0;
  if (!running_) return channels;
  for (const Part& part : parts_) {
    if (part.live && part.kind() == ActionKind::HOME && part.action.detail == protocol::STALL) {
      channels = static_cast<uint8_t>(channels | 1 << part.action.channel);
    }
  }
  return channels;
}

void Actions::hurry() {
  if (!running_) {
    motion_.hurry();
    return;
  }
  if (moves_motors_) motion_.hurry();
  for (Part& part : parts_) {
    if (part.live) cut_part(part);
  }
}

void Actions::cut_part(Part& part) {
  const ActionKind kind = part.kind();
  if (kind == ActionKind::TURN) return;  // Motion ends it at its next detent
  if (moves_motor(kind)) {
    motion_.brake(part.lane);
    return;
  }
  if (kind == ActionKind::POSITION) servos_.hold(part.action.channel);
  cut_ = true;
  part.live = false;
}

void Actions::halt() {
  forget();
  for (bool& counted : counted_) counted = false;  // a motor without current may be moved
  servos_.hold_all();
}

void Actions::count_from_here() {
  for (bool& counted : counted_) counted = true;
  for (int16_t& position : position_) position = 0;
}

}  // namespace thistlebot
