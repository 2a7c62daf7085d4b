#include "lane.h"

namespace thistlebot {

void Lane::begin(const Profile& of, bool half_turn, bool is_clockwise) {
  profile = &of;
  half = half_turn;
  clockwise = is_clockwise;
  cut = false;
  flags = of.repeat > 1 ? SLOW : 0;
  wait = 1;  // the first step is due at once
  fraction = 0x80;
  entry = RAMP_START;
  scale = of.ramp_scale;
  run_steps = of.flat_steps;
  down_steps = of.ramp_steps;
  stage = UP;
  left = of.ramp_steps;
  count = 0;
  take_count();
}

void Lane::take_count() {
  count = left > 0xFF ? 0xFF : static_cast<uint8_t>(left);
  left = static_cast<uint16_t>(left - count);
}

bool Lane::next_stage() {
  take_count();
  if (count == 0 && stage == UP) {
    stage = RUN;
    flags |= FLAT;
    entry = FLAT_TABLE + profile->flat_entry;
    scale = profile->flat_scale;
    left = run_steps;
    take_count();
  }
  if (count == 0 && stage == RUN) {
    stage = SLOWING;
    flags = static_cast<uint8_t>((flags & SLOW) | DOWN);
    entry = RAMP_START + down_steps - 1;
    scale = profile->ramp_scale;
    left = down_steps;
    take_count();
  }
  return count > 0;
}

bool Lane::cut_short() {
  if (!half || cut || stage == SLOWING) return false;
  const uint16_t full_up = profile->ramp_steps;
  // A half turn of 2 Q steps has 2 Q - 1 intervals, its first quarter Q - 1.
  const uint16_t intervals =
      static_cast<uint16_t>((2 * full_up + profile->flat_steps + 1) / 2 - 1);
  const uint16_t stage_left = static_cast<uint16_t>(left + count);
  if (stage == UP) {
    const uint16_t done = static_cast<uint16_t>(full_up - stage_left);
    uint16_t up = full_up;
    down_steps = full_up;
    if (2 * full_up > intervals) {  // no time for full speed: an odd interval goes on speeding up
      down_steps = static_cast<uint16_t>(intervals / 2);
      up = static_cast<uint16_t>(intervals - down_steps);
    }
    if (done > up) {
      down_steps = full_up;
      return false;
    }
    run_steps = static_cast<uint16_t>(intervals - up - down_steps);
    left = static_cast<uint16_t>(up - done);
  } else {
    const uint16_t done = static_cast<uint16_t>(full_up + run_steps - stage_left);
    if (done + full_up > intervals) return false;
    left = static_cast<uint16_t>(intervals - done - full_up);
  }
  count = 0;
  take_count();
  cut = true;
  return true;
}

}  // namespace thistlebot
