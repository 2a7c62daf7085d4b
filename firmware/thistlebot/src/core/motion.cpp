#include "motion.h"

#include "hardware.h"

namespace thistlebot {

Lane lanes[LANES];

namespace {

// Longest wait between two timer events; a longer gap is made of several.
constexpr uint16_t LONGEST_WAIT = 50000;
// A pause that is shorter than this would be over before it is armed, which takes 21 us.
constexpr uint16_t SHORTEST_WAIT = 32 * TICKS_PER_US;

// The groups of lanes: see motion.h. A group's second lane has the number of its first but for bit 0.
constexpr uint8_t first_lane(uint8_t group) { return LANES == 4 ? 2 * group : group; }
constexpr uint8_t group_of(uint8_t lane) { return LANES == 4 ? lane / 2 : lane; }
constexpr uint8_t lanes_of(uint8_t group) { return LANES == 4 ? (group == 0 ? 3 : 12) : 1 << group; }

inline uint8_t bit_of(uint8_t lane) {
  if (LANES == 2) return lane == 0 ? 1 : 2;
  return static_cast<uint8_t>(1 << lane);
}

// A lane whose address is kept: the compiler would multiply it again at each use.
inline Lane& lane_at(uint8_t index) {
  Lane* lane = &lanes[index];
#if defined(__AVR__)
  asm("" : "+b"(lane));
#endif
  return *lane;
}

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

uint8_t PackedTurn::pack(uint8_t motor, int8_t quarters) {
  const bool half = quarters == 2 || quarters == -2;
  return static_cast<uint8_t>(motor * 4 + (half ? HALF : 0) + (quarters < 0 ? COUNTERCLOCKWISE : 0));
}

uint8_t Motion::turning() const {
  const hardware::InterruptLock lock;
  const uint8_t first = first_lane(latest_);
  uint8_t motors = static_cast<uint8_t>(1 << motor_[first]);
  if (pair_) motors = static_cast<uint8_t>(motors | 1 << motor_[first ^ 1]);
  for (uint8_t lane = 0; lane < LANES; ++lane) {
    if (active_ & bit_of(lane)) motors = static_cast<uint8_t>(motors | 1 << motor_[lane]);
  }
  return motors;
}

void Motion::push(const Turn& turn) {
  Entry entry;
  entry.a = Entry::pack(turn.motor_a, turn.quarters_a);
  entry.b = EMPTY;
  entry.overlap = turn.overlap;
  if (turn.motor_b != protocol::NO_MOTOR) {
    entry.b = Entry::pack(turn.motor_b, turn.quarters_b);
    if (LANES == 2) entry.overlap = 0;  // takes both lanes
  }
  push(entry);
}

void Motion::push(const PackedTurn& entry) {
  uint16_t now;
  bool resting;
  bool first;
  {
    const hardware::InterruptLock lock;
    if (halted_) return;  // by an interrupt, since the turn was accepted
    counted_ = 1;
    first = queued_ == 0;
    queue_[(head_ + queued_) % TURNS_AHEAD] = entry;
    queued_ = static_cast<uint8_t>(queued_ + 1);
    now = hardware::timer();
    resting = active_ == 0 && !pausing_;
  }
  if (resting) {
    start_next(now, 0);  // no interrupt starts one from rest
  } else if (first && active_ != 0) {
    plan_overlap();
  }
}

// The rest but `hurry` and `halt` runs in interrupts that may be interrupted, so that the other lane
// and the serial line do not wait: a lane's event cannot come again before its next time is set.

void Motion::on_timer(uint8_t index) {
  Lane& lane = lane_at(index);
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
  hardware::pulse_begin(index, lane.pin);
  on_stage_end(index);
}

void Motion::on_stage_end(uint8_t index) {
  Lane& lane = lane_at(index);
  if (!lane.more()) {
    hardware::pulse_end(index, lane.pin);
    finish_lane(index);
    return;
  }
  const uint16_t interval = lane.next_interval();
  if (lane.flags & Lane::SLOW) {
    lane.interval = interval;
    lane.wait = lane.profile->repeat;
  }
  hardware::pulse_end(index, lane.pin);
  {
    const hardware::InterruptLock lock;
    hardware::set_event(index, hardware::due(index), interval);
  }
  if (lane.news != Lane::NONE) offer_overlap(index);
}

// Out of the steps' way: the lane's next event is set, and interrupts this.
void Motion::offer_overlap(uint8_t index) {
  Lane& lane = lane_at(index);
  const uint8_t news = lane.news;
  lane.news = Lane::NONE;
  uint16_t now;
  bool begin = false;
  {
    const hardware::InterruptLock lock;
    if ((lanes_of(latest_) & bit_of(index)) == 0) return;  // the next has begun already
    now = hardware::timer();
    if (news == Lane::TAIL_BEGAN) {
      reached_ = static_cast<uint8_t>(reached_ | bit_of(index));
      begin = tails_begun();
    } else if (lane.stage != Lane::UP) {
      lane.hold_back(overlap_of_next());
    }
  }
  if (begin) start_next(now, latest_ ^ 1);
}

// The next turn may begin when every motor of the latest has ended or is in its last intervals, and the
// turn before that is over.
bool Motion::tails_begun() const {
  return !stop_ && !ending_ && (active_ & ~reached_) == 0;
}

// A motor never overlaps itself; the host ensures that the faces are on different axes.
uint16_t Motion::overlap_of_next() const {
  const Entry& next = queue_[head_];
  if (stop_ || queued_ == 0 || (LANES == 2 && pair_)) return 0;
  const uint8_t first = first_lane(latest_);
  for (uint8_t place = 0; place < (LANES == 4 && pair_ ? 2 : 1); ++place) {
    const uint8_t motor = motor_[first ^ place];
    if (next.a / 4 == motor || (LANES == 4 && next.b != EMPTY && next.b / 4 == motor)) return 0;
  }
  return next.overlap;
}

void Motion::start_next(uint16_t from, uint8_t group) {
  const uint8_t first = first_lane(group);
  const uint8_t second = LANES == 2 ? 1 : first ^ 1;
  Entry entry;
  {
    const hardware::InterruptLock lock;
    if (queued_ == 0) return;
    entry = queue_[head_];
    head_ = static_cast<uint8_t>((head_ + 1) % TURNS_AHEAD);
    queued_ = static_cast<uint8_t>(queued_ - 1);
    ending_ = active_ != 0;
    pair_ = entry.b != EMPTY;
    if (LANES == 2) {
      active_ = pair_ || ending_ ? 3 : 1;
    } else {
      active_ = static_cast<uint8_t>(active_ | (pair_ ? 3 : 1) << first);
    }
    latest_ = group;
    reached_ = 0;
  }
  was_cut_ = false;
  other_ended_later_ = false;
  prepare_lane(first, entry.a);
  {
    const hardware::InterruptLock lock;
    if (active_ != 0) {  // no emergency stop came between
      hardware::set_event(first, from, lead_);
      hardware::arm(first);
    }
  }
  if (entry.b != EMPTY) {
    prepare_lane(second, entry.b);
    const hardware::InterruptLock lock;
    if (active_ != 0) {
      hardware::set_event(second, from, static_cast<uint16_t>(lead_ + STAGGER_TICKS));
      hardware::arm(second);
    }
  }
  if (queue_[head_].overlap != 0) plan_overlap();  // seldom: a step may be due
}

// Tells the beginning or running turn about the next one. When it slows down, it checks again.
void Motion::plan_overlap() {
  const hardware::InterruptLock lock;
  const uint16_t overlap = overlap_of_next();
  if (overlap == 0) return;
  const uint8_t first = first_lane(latest_);
  for (uint8_t place = 0; place < (LANES == 4 && pair_ ? 2 : 1); ++place) {
    Lane& lane = lanes[first ^ place];
    if (lane.stage != Lane::SLOWING && (reached_ & bit_of(first ^ place)) == 0) {
      lane.hold_back(overlap);
    }
  }
}

void Motion::prepare_lane(uint8_t index, uint8_t packed) {
  const Profile& profile = profiles_[packed / 2];
  const uint8_t motor = packed / 4;
  const bool clockwise = (packed & COUNTERCLOCKWISE) == 0;
  motor_[index] = motor;
  hardware::select_motor(index, motor, clockwise != profile.reversed);
  lanes[index].begin(profile, (packed & HALF) != 0);
}

void Motion::finish_lane(uint8_t index) {
  const uint8_t bit = bit_of(index);
  if (lanes[index].cut) was_cut_ = true;
  uint16_t last_step;
  uint8_t next_group = 0;
  {
    const hardware::InterruptLock lock;  // short while the other lane turns: its steps wait
    if ((active_ & bit) == 0) return;    // halted while the last step was made
    last_step = hardware::due(index);
    hardware::disarm(index);
    active_ = static_cast<uint8_t>(active_ & ~bit);
    // Of two turns the one begun first is counted first, and is never cut short.
    if (ending_ && (LANES == 2 || (active_ & lanes_of(group_of(index))) == 0)) {
      ending_ = false;
      finished_ = static_cast<uint8_t>(finished_ + 1);
      if (!tails_begun()) return;
      next_group = latest_ ^ 1;
    } else if (active_ != 0) {
      // Another lane may be at its end, too, and interrupted by this one: it would count the gap
      // from its own last step, which came before this one.
      if (ends_last(index, last_step)) {
        other_ended_later_ = true;
        other_end_ = last_step;
      }
      if (LANES == 2) return;
      reached_ = static_cast<uint8_t>(reached_ | bit);
      if (!tails_begun()) return;
      next_group = latest_ ^ 1;  // the other motor of this turn is in its last intervals already
    } else {
      if (other_ended_later_) last_step = other_end_;
      count_turn();
      if (stop_) queued_ = 0;
      if (gap_wait_ != 0 || queued_ == 0) {
        begin_pause(last_step);
        return;
      }
    }
  }
  start_next(last_step, next_group);
}

inline bool Motion::ends_last(uint8_t index, uint16_t last_step) const {
  for (uint8_t i = 1; i < LANES; ++i) {
    const uint8_t other = index ^ i;
    if (LANES == 4 && (active_ & bit_of(other)) == 0) continue;
    if (!lanes[other].at_last_step() || (LANES == 4 && lanes[other].tail != 0) ||
        static_cast<int16_t>(last_step - hardware::due(other)) <= 0) {
      return false;
    }
  }
  return true;
}

void Motion::count_turn() {
  if (!was_cut_) {
    finished_ = static_cast<uint8_t>(finished_ + counted_);
  } else if (counted_ != 0) {
    cut_short_ = true;
  }
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
  start_next(now, 0);
}

void Motion::begin(const Travel* travels, uint8_t count) {
  uint16_t now;
  {
    const hardware::InterruptLock lock;
    if (halted_) return;
    active_ = count == 1 ? 1 : 3;  // of the first group of four lanes
    pair_ = count != 1;
    latest_ = 0;
    reached_ = 0;
    ending_ = false;
    now = hardware::timer();
  }
  was_cut_ = false;
  counted_ = 0;
  other_ended_later_ = false;
  for (uint8_t i = 0; i < count; ++i) {
    const Travel& travel = travels[i];
    motor_[i] = travel.motor;
    hardware::select_motor(i, travel.motor, travel.high);
    lanes[i].begin(*travel.profile, travel.half);
    const hardware::InterruptLock lock;
    if (active_ != 0) {  // no emergency stop came between
      hardware::set_event(i, now, static_cast<uint16_t>(LEAD_TICKS + i * STAGGER_TICKS));
      hardware::arm(i);
    }
  }
}

uint16_t Motion::brake(uint8_t lane) {
  const hardware::InterruptLock lock;
  return lanes[lane].brake();
}

uint16_t Motion::freeze(uint8_t lane) {
  const hardware::InterruptLock lock;
  const uint8_t bit = bit_of(lane);
  if (active_ & bit) {
    hardware::disarm(lane);
    active_ = static_cast<uint8_t>(active_ & ~bit);
  }
  return lanes[lane].made();
}

uint16_t Motion::made(uint8_t lane) const {
  const hardware::InterruptLock lock;
  const Lane& of = lanes[lane];
  return active_ & bit_of(lane) ? of.made() : static_cast<uint16_t>(of.made() + of.left());
}

void Motion::hurry() {
  const hardware::InterruptLock lock;
  stop_ = true;
  if (active_ == 0) queued_ = 0;
  for (uint8_t i = 0; i < LANES; ++i) {
    const bool earlier = ending_ && (lanes_of(latest_) & bit_of(i)) == 0;  // in its last intervals
    if ((active_ & bit_of(i)) != 0 && !earlier) lanes[i].cut_short();
  }
}

void Motion::halt() {
  const hardware::InterruptLock lock;
  halted_ = true;
  for (uint8_t i = 0; i < LANES; ++i) hardware::disarm(i);
  active_ = 0;
  queued_ = 0;
  pausing_ = false;
}

}  // namespace thistlebot
