#include "lane.h"

namespace thistlebot {

void Lane::begin(const Profile& of, bool half_turn, bool is_clockwise) {
  profile = &of;
  half = half_turn;
  clockwise = is_clockwise;
  cut = false;
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

void Lane::next_stage() {
  if (stage == UP) {
    stage = RUN;
    flags |= FLAT;
    entry = FLAT_TABLE + profile->flat_entry;
    scale = profile->flat_scale;
    set_count(cut ? cut_steps : profile->flat_steps);
  } else {
    stage = SLOWING;
    flags = static_cast<uint8_t>((flags & SLOW) | DOWN);
    scale = profile->ramp_scale;
    const uint16_t steps = cut ? cut_down : profile->ramp_steps;
    entry = RAMP_START + steps - 1;
    set_count(steps);
  }
}

bool Lane::cut_short() {
  if (!half || cut || stage == SLOWING) return false;
  const uint16_t full_up = profile->ramp_steps;
  // A half turn of 2 Q steps has 2 Q - 1 intervals, its first quarter Q - 1.
  const uint16_t intervals =
      static_cast<uint16_t>((2 * full_up + profile->flat_steps + 1) / 2 - 1);
  const uint16_t stage_left = static_cast<uint16_t>(count_high << 8 | count);
  uint16_t up = full_up;
  uint16_t down = full_up;
  if (stage == UP) {
    const uint16_t done = static_cast<uint16_t>(full_up - stage_left);
    if (2 * full_up > intervals) {  // no time for full speed: an odd interval goes on speeding up
      down = static_cast<uint16_t>(intervals / 2);
      up = static_cast<uint16_t>(intervals - down);
    }
    if (done > up) return false;
    set_count(static_cast<uint16_t>(up - done));
  } else {
    const uint16_t done = static_cast<uint16_t>(full_up + profile->flat_steps - stage_left);
    if (done + full_up > intervals) return false;
    set_count(static_cast<uint16_t>(intervals - done - full_up));
  }
  cut_steps = static_cast<uint16_t>(intervals - up - down);
  cut_down = down;
  cut = true;
  return true;
}

}  // namespace thistlebot
