// One step lane: makes the pulses of one motor for one turn.
#pragma once

#include <stdint.h>

#include "flash.h"
#include "profile.h"

namespace thistlebot {

// Where the pulses go: two bytes and one that the AVR layer uses, nothing elsewhere.
struct PulsePin {
#if defined(__AVR__)
  volatile uint8_t* toggle;
  uint8_t mask;
#endif
};

// The fields above the line are read and written by the assembler of avr/step_interrupt.cpp, which
// does what `next_interval` does; both are tested against each other, edge by edge.
struct Lane {
  static constexpr uint8_t SLOW = 1;  // not a plain step: intervals repeat, or the gap runs
  static constexpr uint8_t FLAT = 2;  // the interval stays
  static constexpr uint8_t DOWN = 4;  // the interval grows; neither FLAT nor DOWN: it shrinks

  const uint16_t* entry;  // next entry of the ramp table, in flash
  uint16_t scale;
  uint8_t fraction;  // 1/256 ticks carried to the next interval
  uint8_t count;     // intervals left in the stage: 256 * count_high + count
  uint8_t count_high;
  uint8_t flags;
  PulsePin pin;
  // ------------------------------------------------------------------------------------------
  enum Stage : uint8_t { UP, RUN, SLOWING };

  Stage stage;
  const Profile* profile;
  uint16_t wait;      // times that `interval` still has to pass before the event counts
  uint16_t interval;  // of a slow lane
  uint16_t tail;      // intervals of the stage held back: when they begin, the next turn may begin, too
  uint8_t news;       // what began with this interval:
  enum News : uint8_t { NONE, RUN_BEGAN, SLOWING_BEGAN, TAIL_BEGAN };
  uint8_t run_news;   // what will be new when the flat part begins
  bool half;          // a half turn: has a detent in its middle
  bool cut;            // a stop makes it end early, after these intervals of the last two stages:
  uint16_t cut_steps;  // flat
  uint16_t cut_down;   // slowing down
  uint16_t cut_up;     // those of the first stage

  // Out of line, each: an AVR addresses the fields best from the one pointer `this`, and inlined
  // these take twice the time and space.
  __attribute__((noinline)) void begin(const Profile& of, bool half_turn);

  // Is there another interval? Advances to its stage; false after the last step.
  __attribute__((noinline)) bool more();

  // No interval is left after the running one, which is shorter than half the timer's range; or only
  // a tail.
  bool at_last_step() const {
    return stage == SLOWING && (count | count_high) == 0 && !(flags & SLOW);
  }

  // Time to the next step, in ticks. Only if there is one.
  __attribute__((noinline)) uint16_t next_interval();

  // Makes the turn's last intervals a separate part, so that their start is reported. While it
  // speeds up or runs this is for what lies before slowing down; with interrupts off.
  void hold_back(uint16_t intervals);

  // Shortens a half turn to its first quarter; false if it can no longer stop there.
  bool cut_short();

  // Slows down from now on, wherever that ends; returns how many steps it makes in all. With
  // interrupts off, as the two below.
  uint16_t brake();

  // Steps made, and steps to come after the interval under way began.
  uint16_t made() const;
  uint16_t left() const;

 private:
  // Of the stage, with what is held back.
  uint16_t stage_left() const { return static_cast<uint16_t>((count_high << 8 | count) + tail); }
  uint16_t flat_steps() const { return cut ? cut_steps : profile->flat_steps; }
  uint16_t down_steps() const { return cut ? cut_down : profile->ramp_steps; }
  uint16_t up_steps() const { return cut ? cut_up : profile->ramp_steps; }

  void next_stage();

  void set_count(uint16_t to) {
    count = static_cast<uint8_t>(to);
    count_high = static_cast<uint8_t>(to >> 8);
  }
};

}  // namespace thistlebot
