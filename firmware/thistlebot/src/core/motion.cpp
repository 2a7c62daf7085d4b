#include "motion.h"

#include "hardware.h"

namespace thistlebot {

Lane lanes[LANES];

namespace {

// Longest wait between two timer events; a longer gap is made of several.
constexpr uint16_t LONGEST_WAIT = 50000;
// A pause that is shorter than this would be over before it is armed.
constexpr uint16_t SHORTEST_WAIT = 16 * TICKS_PER_US;

}  // namespace

void Motion::configure_motor(uint8_t channel, const MotorSettings& motor) {
  for (uint8_t half = 0; half < 2; ++half) {
    Profile& profile = profiles_[2 * channel + half];
    make_profile(static_cast<uint16_t>(motor.steps_per_quarter << half), motor.rate_steps_s,
                 motor.acceleration_steps_s2, profile);
    profile.reversed = motor.direction != 0;
  }
}

void Motion::configure_gap(uint32_t gap_us) {
  const uint32_t ticks = gap_us * TICKS_PER_US;
  uint16_t waits = 0;
  uint16_t interval = SHORTEST_WAIT;  // then only keeps turns apart when the queue ran empty
  uint16_t lead = LEAD_TICKS;  // a shorter gap begins as soon as its turn is ready
  if (ticks >= LEAD_TICKS + SHORTEST_WAIT) {
    const uint32_t pause = ticks - LEAD_TICKS;
    waits = static_cast<uint16_t>(pause / LONGEST_WAIT + 1);
    interval = static_cast<uint16_t>((pause + waits - 1) / waits);  // never shorter
  } else {
    lead = static_cast<uint16_t>(ticks);
  }
  const hardware::InterruptLock lock;  // the pause after the last turn may be about to be armed
  gap_wait_ = waits;
  gap_interval_ = interval;
  lead_ = lead;
}

uint8_t Motion::pack(uint8_t motor, int8_t quarters) {
  const bool half = quarters == 2 || quarters == -2;
  return static_cast<uint8_t>(motor * 4 + (half ? HALF : 0) + (quarters < 0 ? COUNTERCLOCKWISE : 0));
}

void Motion::push(const Turn& turn) {
  Entry entry;
  entry.a = pack(turn.motor_a, turn.quarters_a);
  entry.b = turn.motor_b == protocol::NO_MOTOR ? EMPTY : pack(turn.motor_b, turn.quarters_b);
  uint16_t now;
  bool resting;
  {
    const hardware::InterruptLock lock;
    queue_[(head_ + queued_) % QUEUE_SIZE] = entry;
    queued_ = static_cast<uint8_t>(queued_ + 1);
    now = hardware::timer();
    resting = active_ == 0 && !pausing_;
  }
  if (resting) start_next(now);  // no interrupt starts one from rest
}

// The rest but `hurry` and `halt` runs in interrupts that may be interrupted, so that the other lane
// and the serial line do not wait: a lane's event cannot come again before its next time is set.

void Motion::on_timer(uint8_t index) {
  Lane& lane = lanes[index];
  if (lane.flags & Lane::SLOW) {
    if (lane.wait > 1) {
      --lane.wait;
      const hardware::InterruptLock lock;
      hardware::set_event(index, hardware::due(index), lane.interval);
      return;
    }
    if (pausing_) {  // only lane 0 waits then, and no lane turns
      end_pause();
      return;
    }
  }
  hardware::pulse_begin(index);
  on_stage_end(index);
}

void Motion::on_stage_end(uint8_t index) {
  Lane& lane = lanes[index];
  if (!lane.more()) {
    hardware::pulse_end(index);
    finish_lane(index);
    return;
  }
  const uint16_t interval = lane.next_interval();
  if (lane.flags & Lane::SLOW) {
    lane.interval = interval;
    lane.wait = lane.profile->repeat;
  }
  {
    const hardware::InterruptLock lock;
    hardware::set_event(index, hardware::due(index), interval);
  }
  hardware::pulse_end(index);
}

void Motion::start_next(uint16_t from) {
  Entry entry;
  {
    const hardware::InterruptLock lock;
    if (queued_ == 0) return;
    entry = queue_[head_];
    head_ = static_cast<uint8_t>((head_ + 1) % QUEUE_SIZE);
    queued_ = static_cast<uint8_t>(queued_ - 1);
    active_ = entry.b == EMPTY ? 1 : 3;
  }
  was_cut_ = false;
  other_ended_later_ = false;
  motor_[1] = protocol::NO_MOTOR;
  prepare_lane(0, entry.a);
  {
    const hardware::InterruptLock lock;
    if (active_ != 0) {  // no emergency stop came between
      hardware::set_event(0, from, lead_);
      hardware::arm(0);
    }
  }
  if (entry.b == EMPTY) return;
  prepare_lane(1, entry.b);
  const hardware::InterruptLock lock;
  if (active_ != 0) {
    hardware::set_event(1, from, static_cast<uint16_t>(lead_ + STAGGER_TICKS));
    hardware::arm(1);
  }
}

void Motion::prepare_lane(uint8_t index, uint8_t packed) {
  const Profile& profile = profiles_[packed / 2];
  const uint8_t motor = packed / 4;
  const bool clockwise = (packed & COUNTERCLOCKWISE) == 0;
  motor_[index] = motor;
  hardware::select_motor(index, motor, clockwise != profile.reversed);
  lanes[index].begin(profile, (packed & HALF) != 0, clockwise);
}

void Motion::finish_lane(uint8_t index) {
  const uint8_t bit = index == 0 ? 1 : 2;
  if (lanes[index].cut) was_cut_ = true;
  uint16_t last_step;
  {
    const hardware::InterruptLock lock;  // short while the other lane turns: its steps wait
    if ((active_ & bit) == 0) return;    // halted while the last step was made
    last_step = hardware::due(index);
    hardware::disarm(index);
    active_ = static_cast<uint8_t>(active_ & ~bit);
    if (active_ != 0) {
      // The other lane may be at its end, too, and interrupted by this one: it would count the gap
      // from its own last step, which came before this one.
      const uint8_t other = static_cast<uint8_t>(1 - index);
      if (lanes[other].at_last_step() &&
          static_cast<int16_t>(last_step - hardware::due(other)) > 0) {
        other_ended_later_ = true;
        other_end_ = last_step;
      }
      return;
    }
    if (other_ended_later_) last_step = other_end_;
    count_turn();
    if (stop_) queued_ = 0;
    if (gap_wait_ != 0 || queued_ == 0) {
      begin_pause(last_step);
      return;
    }
  }
  start_next(last_step);
}

void Motion::count_turn() {
  if (!was_cut_) {
    finished_ = static_cast<uint8_t>(finished_ + 1);
    return;
  }
  // What was done of a turn that does not count.
  for (uint8_t i = 0; i < LANES; ++i) {
    const Lane& lane = lanes[i];
    const int8_t quarters = lane.half && !lane.cut ? 2 : 1;
    partial_[i] = lane.clockwise ? quarters : static_cast<int8_t>(-quarters);
  }
  if (motor_[1] == protocol::NO_MOTOR) partial_[1] = 0;
}

void Motion::begin_pause(uint16_t from) {
  pausing_ = true;
  lanes[0].flags = Lane::SLOW;
  lanes[0].wait = gap_wait_;
  lanes[0].interval = gap_interval_;
  hardware::set_event(0, from, gap_interval_);
  hardware::arm(0);
}

void Motion::end_pause() {
  uint16_t now;
  {
    const hardware::InterruptLock lock;
    pausing_ = false;
    now = hardware::due(0);
    hardware::disarm(0);
    if (stop_) queued_ = 0;
  }
  start_next(now);
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
