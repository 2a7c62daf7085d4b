#include "profile.h"

#include <math.h>

#include "ramp_table.h"

namespace thistlebot {

const uint16_t FLAT_TABLE[2] THISTLEBOT_FLASH = {0x1000, 0xFF00};
const uint16_t* const RAMP_START = RAMP_TABLE;

namespace {

constexpr float TICKS = static_cast<float>(TICKS_PER_S);
constexpr uint32_t LONGEST_SCALE = 60000;  // leaves room for the carried fraction
constexpr float UNIT = 65536.0f;           // of table entries
constexpr float FINE = UNIT / 0x1000;      // how much larger a scale FLAT_FINE makes
constexpr float COARSE = UNIT / 0xFF00;

// Numbers are compared when whole: comparing floats is one more routine of the library.
uint32_t whole(float value) { return static_cast<uint32_t>(value); }
uint16_t rounded(float value) { return static_cast<uint16_t>(value + 0.5f); }

// Writes intervals that were worked out into a profile.
//   intervals: all of the turn; ramp: those that speed up; first, flat: ticks
void write_profile(uint16_t intervals, uint16_t ramp, float first, float flat, Profile& profile) {
  profile.ramp_steps = ramp;
  profile.flat_steps = static_cast<uint16_t>(intervals - 2 * ramp);
  uint32_t longest = whole(first);
  if (longest < whole(flat)) longest = whole(flat);
  profile.repeat = static_cast<uint8_t>(longest / LONGEST_SCALE + 1);
  const float repeat = static_cast<float>(profile.repeat);
  profile.ramp_scale = rounded(first / repeat);
  const bool fine = whole(flat * FINE) < LONGEST_SCALE * profile.repeat;
  profile.flat_entry = fine ? FLAT_FINE : FLAT_COARSE;
  profile.flat_scale = rounded(flat / repeat * (fine ? FINE : COARSE));
}

}  // namespace

void make_profile(uint16_t steps, uint16_t rate_steps_s, uint32_t acceleration_steps_s2,
                  Profile& profile) {
  const uint16_t intervals = static_cast<uint16_t>(steps - 1);
  const float stretch = static_cast<float>(steps) / static_cast<float>(intervals);
  const float rate = static_cast<float>(rate_steps_s);
  const float acceleration = static_cast<float>(acceleration_steps_s2);
  const float first = TICKS * sqrtf(2.0f * stretch / acceleration);

  const float ramp_wanted = rate * rate / (2.0f * stretch * acceleration);
  uint16_t ramp = static_cast<uint16_t>(intervals / 2);
  if (ramp > RAMP_ENTRIES - 1) ramp = RAMP_ENTRIES - 1;
  float flat;
  if (whole(ramp_wanted) < ramp) {
    ramp = rounded(ramp_wanted);
    // The flat part takes what the ramps, of whole steps, leave of the ideal time. They leave no
    // less than the rate needs: of all ramps the ideal one takes longest.
    const float ideal = TICKS * (static_cast<float>(steps) / rate + rate / acceleration);
    const float ramps = 2.0f * first * sqrtf(static_cast<float>(ramp));
    flat = (ideal - ramps) / static_cast<float>(intervals - 2 * ramp);
  } else {
    // Too short to reach its rate: the one interval between the ramps, if any, continues them.
    flat = first * static_cast<float>(read_flash(RAMP_TABLE + ramp)) / UNIT;
  }
  write_profile(intervals, ramp, first, flat, profile);
}

}  // namespace thistlebot
