#include "soft_profile.h"

#include <math.h>

#include "soft_ramp_tables.h"

namespace thistlebot {

#if THISTLEBOT_SOFT_STARTS

namespace {

constexpr float TICKS = static_cast<float>(TICKS_PER_S);
constexpr float BEGIN = 0.5f;  // where the first step comes

// Times are in units of sqrt(2 / acceleration), as in soft_profile.h.
class SoftRamp {
 public:
  explicit SoftRamp(uint8_t soft_start)
      : steps_(static_cast<float>(1 << 2 * soft_start)), lasts_(sqrtf(3.0f * steps_)) {}

  float time(float way) const {
    if (way < steps_) return lasts_ * cbrtf(way / steps_);
    return sqrtf(way - 0.25f * steps_) + 0.5f * lasts_;
  }

  // Where a rate is reached, that an even start reaches after `even` steps.
  float way(float even) const {
    if (even >= 0.75f * steps_) return even + 0.25f * steps_;
    const float root = sqrtf(even / (0.75f * steps_));
    return steps_ * root * sqrtf(root);
  }

 private:
  float steps_;
  float lasts_;  // while the acceleration builds up
};

}  // namespace

void make_profile(uint16_t steps, uint16_t rate_steps_s, uint32_t acceleration_steps_s2,
                  uint8_t soft_start, Profile& profile) {
  if (soft_start == 0) {
    make_profile(steps, rate_steps_s, acceleration_steps_s2, profile);
    return;
  }
  const SoftRamp soft(soft_start);
  const uint16_t intervals = static_cast<uint16_t>(steps - 1);
  const float rate = static_cast<float>(rate_steps_s);
  const float acceleration = static_cast<float>(acceleration_steps_s2);
  const float unit = TICKS * sqrtf(2.0f / acceleration);
  const float begin = soft.time(BEGIN);
  const float first = unit * (soft.time(BEGIN + 1.0f) - begin);
  const uint16_t* const table = SOFT_RAMP_TABLES[soft_start - 1];

  const float half = 0.5f * static_cast<float>(steps);
  float way = soft.way(rate * rate / (2.0f * acceleration));
  if (way > half) way = half;    // too short to reach its rate
  if (way < BEGIN) way = BEGIN;  // slower than its first interval would be: it has its rate at once
  uint16_t ramp;
  float flat;
  if (way - BEGIN < static_cast<float>(RAMP_ENTRIES - 1)) {
    ramp = static_cast<uint16_t>(way - BEGIN + 0.5f);
    if (ramp > intervals / 2) ramp = intervals / 2;
    // As in profile.cpp: what the ramps, of whole steps, leave of the ideal time.
    const float ramps = soft.time(way) - soft.time(static_cast<float>(ramp) + BEGIN);
    const float at_rate = TICKS * (static_cast<float>(steps) - 2.0f * way) / rate;
    const uint16_t left = static_cast<uint16_t>(intervals - 2 * ramp);
    flat = left != 0 ? (2.0f * unit * ramps + at_rate) / static_cast<float>(left) : 0.0f;
  } else {
    ramp = RAMP_ENTRIES - 1;
    flat = first * static_cast<float>(read_flash(table + ramp)) / 65536.0f;
  }
  profile.ramp = table;
  write_profile(intervals, ramp, first, flat, profile);
}

#else

void make_profile(uint16_t steps, uint16_t rate_steps_s, uint32_t acceleration_steps_s2, uint8_t,
                  Profile& profile) {
  make_profile(steps, rate_steps_s, acceleration_steps_s2, profile);
}

#endif

}  // namespace thistlebot
