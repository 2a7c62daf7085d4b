// The move queue and the lanes that turn it into steps.
//
// A turn works in a group of lanes. With four lanes there are two groups of two, so that any turn may
// begin while the one before ends. With two lanes the groups share: a turn of one motor takes lane 0 or
// lane 1, and a turn of two takes both.
//
// Everything from one step to the next turn happens in the lanes' interrupts, so that the turns that
// follow need no main loop. It fills the queue up from the longer one of steps, and watches.
#pragma once

#include <stdint.h>

#include "out_of_line.h"
#include "../boards/board.h"
#include "lane.h"
#include "messages.h"
#include "profile.h"
#include "settings.h"

namespace thistlebot {

constexpr uint8_t TURNS_AHEAD = 8;  // the main loop fills them up; no less than 80 ms of turns

// Time from a gap's end (or a start from rest) to the first step: selecting the motors takes 33 us,
// more on a saturated line.
constexpr uint16_t LEAD_TICKS = 45 * TICKS_PER_US;
// The lane of the second motor starts this much later: it is made ready meanwhile, and two equal turns never want the
// processor at the same time.
constexpr uint16_t STAGGER_TICKS = 11 * TICKS_PER_US;

// One turn, or two together.
struct Turn {
  uint8_t motor_a;
  int8_t quarters_a;  // -2, -1, 1 or 2
  uint8_t motor_b;    // protocol::NO_MOTOR for none
  int8_t quarters_b;
  // Last intervals of the turn before, of each of its motors, in which this one may already begin.
  uint16_t overlap;
};

// The same in the queue.
struct PackedTurn {
  static constexpr uint8_t HALF = 2;
  static constexpr uint8_t COUNTERCLOCKWISE = 1;
  static constexpr uint8_t EMPTY = 0xFF;

  uint8_t a;  // 4 * motor, plus HALF, plus COUNTERCLOCKWISE: half of it is the profile's number
  uint8_t b;  // the same, or EMPTY
  uint16_t overlap;  // with two lanes 0 for two motors, which take both

  THISTLEBOT_OUT_OF_LINE static uint8_t pack(uint8_t motor, int8_t quarters);
};

// The work of one lane beside the queue: a turn, or a move of any number of steps.
struct Travel {
  uint8_t motor;
  bool high;  // level of DIR
  bool half;  // a half turn: has a detent in its middle
  const Profile* profile;  // stays as it is until the lane rests
};

// The lanes are plain globals, so that the step interrupt addresses them directly.
extern Lane lanes[LANES];

class Motion {
 public:
  // Take over settings; only while at rest.
  void configure_motor(uint8_t channel, const MotorSettings& motor);
  void configure_gap(uint32_t gap_us);

  // Called by the main loop.
  uint8_t free_slots() const { return static_cast<uint8_t>(TURNS_AHEAD - queued_); }
  uint8_t waiting() const { return queued_; }
  void push(const PackedTurn& entry);  // only with a free slot; starts at once from rest
  void push(const Turn& turn);
  // Perhaps in the pause after a turn. The queue is looked at first: an interrupt takes a turn from
  // it and makes a lane active, and that must not slip through between the two looks.
  bool at_rest() const { return queued_ == 0 && active_ == 0; }
  bool in_gap() const { return pausing_; }
  uint8_t finished() const { return finished_; }  // counts turns done completely, mod 256

  // Ends at the next detent and drops the queue. The flag alone already does that at the end of
  // the turn, so that an interrupt may set it; `hurry` also cuts a half turn short if it still can.
  void request_stop() { stop_ = true; }
  bool stop_requested() const { return stop_; }
  void hurry();
  void clear_stop() { stop_ = false; }
  bool cut_short() const { return cut_short_; }  // a turn that does not count ended at its middle
  void clear_cut() { cut_short_ = false; }

  // No further step until `release`, whatever is queued; for the emergency stop, from any context.
  void halt();
  void release() { halted_ = false; }
  bool halted() const { return halted_; }

  // Beside the queue, and counted by nobody: one lane or two begin together, from rest and after the
  // gap. The lanes that are no longer `active` have ended.
  THISTLEBOT_OUT_OF_LINE void begin(const Travel* travels, uint8_t count);
  // Lets a lane that makes a move slow down now; returns how many steps it makes in all.
  THISTLEBOT_OUT_OF_LINE uint16_t brake(uint8_t lane);
  // Ends a lane at once, where its motor cannot follow; returns how many steps it has made.
  THISTLEBOT_OUT_OF_LINE uint16_t freeze(uint8_t lane);
  THISTLEBOT_OUT_OF_LINE uint16_t made(uint8_t lane) const;  // steps of a lane that `begin` began
  const Profile& turn_profile(uint8_t motor, bool half) const {
    return profiles_[2 * motor + (half ? 1 : 0)];
  }

  uint8_t active() const { return active_; }  // active lanes, one bit each
  uint8_t turning() const;  // channels that turn, or turned last, one bit each

  // A lane's timer event, from its interrupt.
  void on_timer(uint8_t lane);
  // The part of a step after its pulse has begun, when the lane's count is used up; for an interrupt
  // that makes the plain steps itself.
  void on_stage_end(uint8_t lane);

 private:
  using Entry = PackedTurn;
  static constexpr uint8_t HALF = Entry::HALF;
  static constexpr uint8_t COUNTERCLOCKWISE = Entry::COUNTERCLOCKWISE;
  static constexpr uint8_t EMPTY = Entry::EMPTY;

  // Those marked are kept out of line: the compiler would copy them to each of their callers.
  __attribute__((noinline)) void start_next(uint16_t from, uint8_t group);
  __attribute__((noinline)) void prepare_lane(uint8_t lane, uint8_t packed);
  __attribute__((noinline)) void finish_lane(uint8_t lane);
  __attribute__((noinline)) void offer_overlap(uint8_t lane);
  void plan_overlap();
  uint16_t overlap_of_next() const;
  bool tails_begun() const;
  bool ends_last(uint8_t lane, uint16_t last_step) const;
  __attribute__((noinline)) void count_turn();
  void begin_pause(uint16_t from);
  void end_pause();

  // All of it begins as zeros, as static memory does. The arrays come last: an AVR reaches only the first
  // 64 bytes of an object directly.
  volatile uint8_t active_;
  volatile uint8_t queued_;
  uint8_t head_;
  volatile uint8_t finished_;
  volatile bool stop_;
  volatile bool halted_;
  volatile bool pausing_;  // lane 0 waits for the end of the gap
  bool was_cut_;
  volatile bool cut_short_;
  bool pair_;  // the latest turn has two motors
  uint8_t counted_;  // 0: the lanes do what `begin` told them, not what is in the queue
  bool ending_;  // another turn ends while the latest turns already
  uint8_t latest_;  // group that was begun last
  volatile uint8_t reached_;  // lanes of the latest turn whose tail has begun, or that have ended
  bool other_ended_later_;  // of two lanes: the last to be finished made not the last step
  uint16_t other_end_;
  uint16_t gap_interval_;
  uint16_t lead_;
  uint16_t gap_wait_;  // 0: the gap is no longer than what preparing a turn takes
  uint8_t motor_[LANES];
  Entry queue_[TURNS_AHEAD];
  Profile profiles_[2 * MOTORS];  // of a quarter turn and a half turn, motor by motor
};

}  // namespace thistlebot
