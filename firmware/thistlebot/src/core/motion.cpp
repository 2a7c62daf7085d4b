#include "motion.h"

#include "hardware.h"

namespace thistlebot {

Lane lanes[LANES];

namespace {

// Longest wait between two timer events; a longer gap is made of several.
constexpr uint16_t LONGEST_WAIT = 50000;
// A pause that is shorter than this after a turn could be over before it is armed.
constexpr uint16_t SHORTEST_WAIT = 4 * TICKS_PER_US;
constexpr uint8_t QUARTERS_MASK = 0x0F;
constexpr int8_t QUARTERS_BIAS = 2;

}  // namespace

void Motion::configure_motor(uint8_t channel, const MotorSettings& motor) {
  const uint8_t bit = static_cast<uint8_t>(1 << channel);
  reversed_ = static_cast<uint8_t>(motor.direction != 0 ? reversed_ | bit : reversed_ & ~bit);
  for (uint8_t half = 0; half < 2; ++half) {
    profiles_[channel][half] =
        make_profile(static_cast<uint16_t>(motor.steps_per_quarter << half), motor.rate_steps_s,
                     motor.acceleration_steps_s2);
  }
}

void Motion::configure_gap(uint32_t gap_us) {
  const uint32_t ticks = gap_us * TICKS_PER_US;
  const uint32_t pause =
      ticks > LEAD_TICKS + SHORTEST_WAIT ? ticks - LEAD_TICKS : uint32_t{SHORTEST_WAIT};
  const uint16_t waits = static_cast<uint16_t>(pause / LONGEST_WAIT + 1);
  const hardware::InterruptLock lock;  // the pause after the last turn may be about to be armed
  gap_wait_ = waits;
  gap_interval_ = static_cast<uint16_t>(pause / waits);
}

Motion::Entry Motion::pack(const Turn& turn) {
  Entry entry;
  entry.a = static_cast<uint8_t>(turn.motor_a << 4 | (turn.quarters_a + QUARTERS_BIAS));
  entry.b = turn.motor_b == protocol::NO_MOTOR
                ? EMPTY
                : static_cast<uint8_t>(turn.motor_b << 4 | (turn.quarters_b + QUARTERS_BIAS));
  return entry;
}

void Motion::push(const Turn& turn) {
  const Entry entry = pack(turn);
  const hardware::InterruptLock lock;
  queue_[(head_ + queued_) % QUEUE_SIZE] = entry;
  queued_ = static_cast<uint8_t>(queued_ + 1);
  if (active_ == 0 && !pausing_) start_next(hardware::timer());
}

void Motion::on_timer(uint8_t index) {
  Lane& lane = lanes[index];
  if (lane.flags & Lane::SLOW) {
    if (lane.wait > 1) {
      --lane.wait;
      hardware::advance(index, lane.interval);
      return;
    }
    if (pausing_) {  // only lane 0 waits then, and no lane turns
      pausing_ = false;
      const uint16_t now = hardware::due(index);
      hardware::disarm(index);
      if (stop_) queued_ = 0;
      if (queued_ > 0) start_next(now);
      return;
    }
  }
  step(index);
}

void Motion::step(uint8_t index) {
  Lane& lane = lanes[index];
  hardware::pulse_begin(index);
  if (lane.count == 0 && !lane.next_stage()) {
    finish_lane(index);
    hardware::pulse_end(index);
    return;
  }
  const uint16_t interval = lane.next_interval();
  if (lane.flags & Lane::SLOW) {
    lane.interval = interval;
    lane.wait = lane.profile->repeat;
  }
  hardware::advance(index, interval);
  hardware::pulse_end(index);
}

void Motion::start_next(uint16_t from) {
  const Entry entry = queue_[head_];
  head_ = static_cast<uint8_t>((head_ + 1) % QUEUE_SIZE);
  queued_ = static_cast<uint8_t>(queued_ - 1);
  was_cut_ = false;
  active_ = entry.b == EMPTY ? 1 : 3;
  start_lane(0, entry.a, from, LEAD_TICKS);
  if (entry.b != EMPTY) {
    start_lane(1, entry.b, from, LEAD_TICKS + STAGGER_TICKS);
  } else {
    motor_[1] = protocol::NO_MOTOR;
  }
}

void Motion::start_lane(uint8_t index, uint8_t packed, uint16_t from, uint16_t interval) {
  const uint8_t motor = packed >> 4;
  const int8_t quarters = static_cast<int8_t>((packed & QUARTERS_MASK) - QUARTERS_BIAS);
  const bool half = quarters == 2 || quarters == -2;
  const bool clockwise = quarters > 0;
  motor_[index] = motor;
  // DIR is high for clockwise unless the motor is reversed.
  const bool reversed = (reversed_ >> motor & 1) != 0;
  hardware::select_motor(index, motor, clockwise != reversed);
  lanes[index].begin(profiles_[motor][half ? 1 : 0], half, clockwise);
  hardware::arm(index, from, interval);
}

void Motion::finish_lane(uint8_t index) {
  const Lane& lane = lanes[index];
  if (lane.cut) was_cut_ = true;
  active_ = static_cast<uint8_t>(active_ & ~(1 << index));
  if (active_ != 0) {
    hardware::disarm(index);
    return;
  }
  finish_turn(index);
}

void Motion::finish_turn(uint8_t index) {
  if (was_cut_) {
    // What was done of a turn that does not count.
    for (uint8_t i = 0; i < LANES; ++i) {
      const Lane& lane = lanes[i];
      const int8_t quarters = lane.half && !lane.cut ? 2 : 1;
      partial_[i] = lane.clockwise ? quarters : static_cast<int8_t>(-quarters);
    }
    if (motor_[1] == protocol::NO_MOTOR) partial_[1] = 0;
  } else {
    finished_ = static_cast<uint8_t>(finished_ + 1);
  }
  if (stop_) queued_ = 0;
  rest_from(index);
}

void Motion::rest_from(uint8_t index) {
  const uint16_t last_step = hardware::due(index);
  hardware::disarm(index);
  pausing_ = true;
  lanes[0].flags = Lane::SLOW;
  lanes[0].wait = gap_wait_;
  lanes[0].interval = gap_interval_;
  hardware::arm(0, last_step, gap_interval_);
}

void Motion::hurry() {
  const hardware::InterruptLock lock;
  stop_ = true;
  if (active_ == 0) queued_ = 0;
  for (uint8_t i = 0; i < LANES; ++i) {
    if (active_ & 1 << i) lanes[i].cut_short();
  }
}

void Motion::halt() {
  const hardware::InterruptLock lock;
  for (uint8_t i = 0; i < LANES; ++i) hardware::disarm(i);
  active_ = 0;
  queued_ = 0;
  pausing_ = false;
}

}  // namespace thistlebot
