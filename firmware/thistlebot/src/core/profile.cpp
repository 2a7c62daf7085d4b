#include "profile.h"

#include "ramp_table.h"

namespace thistlebot {

const uint16_t FLAT_TABLE[2] THISTLEBOT_FLASH = {0x1000, 0xFF00};
const uint16_t* const RAMP_START = RAMP_TABLE;

namespace {

constexpr uint16_t LONGEST_SCALE = 60000;  // leaves room for the carried fraction
constexpr uint16_t FINE_SHARE = 16;        // 2^16 / FLAT_TABLE[FLAT_FINE]
constexpr uint32_t SIXTEENTHS = 16;

uint32_t square_root(uint64_t of) {
  uint32_t root = 0;
  for (uint32_t bit = 0x80000000UL; bit != 0; bit >>= 1) {
    const uint32_t tried = root | bit;
    if (static_cast<uint64_t>(tried) * tried <= of) root = tried;
  }
  return root;
}

uint64_t divide_rounded(uint64_t of, uint64_t by) { return (of + by / 2) / by; }

}  // namespace

Profile make_profile(uint16_t steps, uint16_t rate_steps_s, uint32_t acceleration_steps_s2) {
  const uint16_t intervals = static_cast<uint16_t>(steps - 1);
  const uint64_t acceleration_scaled = static_cast<uint64_t>(acceleration_steps_s2) * intervals;
  // In sixteenths of a tick. (16 F)^2 * 2 N is below 2^63 for N <= 3200 and F = 16e6.
  const uint32_t first = square_root(
      SIXTEENTHS * TICKS_PER_S * (static_cast<uint64_t>(SIXTEENTHS) * TICKS_PER_S) /
      acceleration_scaled * 2 * steps);
  uint32_t flat = static_cast<uint32_t>(
      divide_rounded(static_cast<uint64_t>(SIXTEENTHS) * TICKS_PER_S * steps,
                     static_cast<uint64_t>(rate_steps_s) * intervals));

  const uint64_t ramp_wanted = divide_rounded(
      static_cast<uint64_t>(rate_steps_s) * rate_steps_s * intervals,
      2 * static_cast<uint64_t>(acceleration_steps_s2) * steps);
  uint16_t ramp = static_cast<uint16_t>(intervals / 2);
  if (ramp > RAMP_ENTRIES - 1) ramp = RAMP_ENTRIES - 1;
  if (ramp_wanted < ramp) ramp = static_cast<uint16_t>(ramp_wanted);
  // A turn too short for its rate peaks between two ramps: its one flat interval goes on with them.
  const uint32_t peak = static_cast<uint32_t>(
      (static_cast<uint64_t>(first) * read_flash(RAMP_TABLE + ramp)) >> 16);
  if (flat < peak && ramp_wanted > ramp) flat = peak;

  Profile profile;
  profile.ramp_steps = ramp;
  profile.flat_steps = static_cast<uint16_t>(intervals - 2 * ramp);
  const uint32_t longest = first > flat ? first : flat;
  profile.repeat = static_cast<uint8_t>(longest / (SIXTEENTHS * LONGEST_SCALE) + 1);
  profile.ramp_scale =
      static_cast<uint16_t>(divide_rounded(first, SIXTEENTHS * profile.repeat));
  if (profile.repeat == 1 && flat < LONGEST_SCALE / FINE_SHARE * SIXTEENTHS) {
    profile.flat_entry = FLAT_FINE;
    profile.flat_scale = static_cast<uint16_t>(flat);  // sixteenths of a tick are the fine unit
  } else {
    profile.flat_entry = FLAT_COARSE;
    profile.flat_scale = static_cast<uint16_t>(
        divide_rounded(static_cast<uint64_t>(flat) * 256, SIXTEENTHS * 255UL * profile.repeat));
  }
  return profile;
}

}  // namespace thistlebot
