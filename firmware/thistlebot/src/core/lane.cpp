#include "lane.h"

namespace thistlebot {

namespace {

// Unsigned, because an int of 16 bits does not hold 255 * 255.
inline uint16_t product(uint8_t a, uint8_t b) {
  return static_cast<uint16_t>(static_cast<uint16_t>(a) * b);
}

}  // namespace

void Lane::begin(const Profile& of, bool half_turn) {
  profile = &of;
  half = half_turn;
  cut = false;
  tail = 0;
  run_news = NONE;
  news = NONE;
  flags = 0;
  if (of.repeat > 1) {
    flags = SLOW;
    wait = 1;  // the first step is due at once
  }
  fraction = 0x80;
  entry = RAMP_START;
  scale = of.ramp_scale;
  stage = UP;
  set_count(of.ramp_steps);
}

bool Lane::more() {
  while ((count | count_high) == 0) {
    if (stage == UP || (tail == 0 && stage == RUN)) {
      next_stage();
    } else if (tail != 0) {
      set_count(tail);
      tail = 0;
      news = TAIL_BEGAN;
    } else {
      return false;
    }
  }
  return true;
}

uint16_t Lane::next_interval() {
  if (count-- == 0) --count_high;
  const uint16_t share = read_flash(entry);
  if (!(flags & FLAT)) entry += (flags & DOWN) ? -1 : 1;
  // share * scale / 2^16 without the product of the low bytes, which is worth less than a tick.
  const uint8_t share_low = static_cast<uint8_t>(share);
  const uint8_t share_high = static_cast<uint8_t>(share >> 8);
  const uint8_t scale_low = static_cast<uint8_t>(scale);
  const uint8_t scale_high = static_cast<uint8_t>(scale >> 8);
  const uint16_t cross = product(share_low, scale_high);
  const uint16_t other = product(share_high, scale_low);
  const uint16_t low = static_cast<uint16_t>(static_cast<uint8_t>(cross) +
                                             static_cast<uint8_t>(other) + fraction);
  fraction = static_cast<uint8_t>(low);
  return static_cast<uint16_t>(product(share_high, scale_high) + (cross >> 8) + (other >> 8) +
                               (low >> 8));
}

void Lane::next_stage() {
  if (stage == UP) {
    stage = RUN;
    flags |= FLAT;
    entry = FLAT_TABLE + profile->flat_entry;
    scale = profile->flat_scale;
    news = run_news;
    set_count(flat_steps());
  } else {
    stage = SLOWING;
    news = SLOWING_BEGAN;
    flags = static_cast<uint8_t>((flags & SLOW) | DOWN);
    scale = profile->ramp_scale;
    const uint16_t steps = down_steps();
    entry = RAMP_START + steps - 1;
    set_count(steps);
  }
}

void Lane::hold_back(uint16_t intervals) {
  if (stage != SLOWING) {
    const uint16_t later = profile->ramp_steps;
    intervals = intervals > later ? static_cast<uint16_t>(intervals - later) : 0;
    if (intervals == 0) return;
    run_news = RUN_BEGAN;  // while speeding up: called again then
    if (stage == UP) return;
  }
  const uint16_t left = stage_left();
  if (intervals > left) intervals = left;
  tail = intervals;
  set_count(static_cast<uint16_t>(left - intervals));
}

bool Lane::cut_short() {
  if (!half || cut || stage == SLOWING) return false;
  const uint16_t full_up = profile->ramp_steps;
  // A half turn of 2 Q steps has 2 Q - 1 intervals, its first quarter Q - 1.
  const uint16_t intervals =
      static_cast<uint16_t>((2 * full_up + profile->flat_steps + 1) / 2 - 1);
  uint16_t up = full_up;
  uint16_t down = full_up;
  if (stage == UP) {
    const uint16_t done = static_cast<uint16_t>(full_up - stage_left());
    if (2 * full_up > intervals) {  // no time for full speed: an odd interval continues to speed up
      down = static_cast<uint16_t>(intervals / 2);
      up = static_cast<uint16_t>(intervals - down);
    }
    if (done > up) return false;
    set_count(static_cast<uint16_t>(up - done));
  } else {
    const uint16_t done = static_cast<uint16_t>(full_up + profile->flat_steps - stage_left());
    if (done + full_up > intervals) return false;
    set_count(static_cast<uint16_t>(intervals - done - full_up));
  }
  cut_steps = static_cast<uint16_t>(intervals - up - down);
  cut_down = down;
  cut_up = up;
  tail = 0;
  cut = true;
  return true;
}

uint16_t Lane::brake() {
  if (stage != SLOWING) {
    const uint16_t begun = made();
    const uint16_t up = stage == UP ? begun : up_steps();
    cut_steps = static_cast<uint16_t>(begun - up);
    cut_down = up;
    cut_up = up;
    cut = true;
    tail = 0;
    set_count(0);
  }
  return static_cast<uint16_t>(made() + left());
}

// A step is made as its interval begins; the last step has none.
uint16_t Lane::made() const {
  uint16_t intervals = static_cast<uint16_t>(up_steps() - stage_left());
  if (stage != UP) intervals = static_cast<uint16_t>(intervals + flat_steps());
  if (stage == SLOWING) intervals = static_cast<uint16_t>(intervals + down_steps());
  return intervals;
}

uint16_t Lane::left() const {
  uint16_t intervals = static_cast<uint16_t>(stage_left() + 1);
  if (stage == UP) intervals = static_cast<uint16_t>(intervals + flat_steps());
  if (stage != SLOWING) intervals = static_cast<uint16_t>(intervals + down_steps());
  return intervals;
}

}  // namespace thistlebot
