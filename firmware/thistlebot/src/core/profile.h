// The plan of one turn: how many steps it speeds up, runs and slows down, in timer ticks.
#pragma once

#include <stdint.h>

#include "../boards/board.h"

namespace thistlebot {

// A turn of N steps has N - 1 intervals, from the first step to the last. Times and distances are
// scaled by N / (N - 1), so that these intervals together last as long as the ideal trapezoid
// over N steps: N / rate + rate / acceleration, or 2 sqrt(N / acceleration) if it has no flat part.
//
// An interval is entry * scale / 2^16 ticks, repeated `repeat` times: 16 bits hold 4 ms, and slow
// ramps begin with longer intervals than that.
struct Profile {
  uint16_t ramp_steps;   // intervals that speed up, and as many that slow down
  uint16_t flat_steps;   // intervals in between
  uint16_t ramp_scale;   // ticks of the first interval
  uint16_t flat_scale;   // ticks of a flat interval, in the unit of `flat_entry`
  uint8_t repeat;        // 1 but for slow motors
  uint8_t flat_entry;    // which entry of FLAT_TABLE
  bool reversed;         // DIR is low, not high, for clockwise
};

// Entries for the flat part. A small entry makes a large scale, and so a finer speed; both have a
// zero low byte, which loses nothing in the multiplication of `Lane::next_interval`.
constexpr uint8_t FLAT_FINE = 0;
constexpr uint8_t FLAT_COARSE = 1;
extern const uint16_t FLAT_TABLE[2];  // in flash
extern const uint16_t* const RAMP_START;  // in flash: the ramp table

// Makes the profile of a turn that speeds up evenly; leaves `reversed` alone.
//   steps: 4..3200; rate_steps_s: 50..50000; acceleration_steps_s2: 1000..20000000
void make_profile(uint16_t steps, uint16_t rate_steps_s, uint32_t acceleration_steps_s2,
                  Profile& profile);

}  // namespace thistlebot
