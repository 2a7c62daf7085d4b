// The plan of a turn that starts softly: the acceleration builds up over some steps.
//
// Over its first S steps it grows evenly in time, and then stays as it is. The way from rest is
// x = S / 4 + (t - T)^2 in units of steps and of sqrt(2 / acceleration), where T = sqrt(3 S) / 2, and
// before it x = S (t / 2 T)^3. The first step comes at x = 1/2, the others at 3/2, 5/2 and so on: the
// steps are those positions of the motion, rounded. So the turn lasts from 1/2 to N - 1/2, without
// the long wait for the first half step of such a slow start. Slowing down mirrors it.
#pragma once

#include "profile.h"

namespace thistlebot {

// Makes the profile of a turn; leaves `reversed` alone. An acceleration that builds up over no steps is
// that of `make_profile`.
//   soft_start: 0..SOFT_STARTS: over none, 4, 16, 64 steps
void make_profile(uint16_t steps, uint16_t rate_steps_s, uint32_t acceleration_steps_s2,
                  uint8_t soft_start, Profile& profile);

}  // namespace thistlebot
