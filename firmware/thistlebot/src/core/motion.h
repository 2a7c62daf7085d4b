// The move queue and the two lanes that turn it into steps.
//
// Everything from one step to the next move happens in the lanes' interrupts, so that a queued solve
// runs without the main loop and without the host. The main loop fills the queue and watches.
#pragma once

#include <stdint.h>

#include "lane.h"
#include "messages.h"
#include "profile.h"
#include "settings.h"

namespace thistlebot {

constexpr uint8_t LANES = 2;
constexpr uint8_t QUEUE_SIZE = 64;  // any Thistlethwaite solution fits, so a whole solve is sent ahead

// Time from a gap's end (or a start from rest) to the first step: selecting the motors, with margin.
constexpr uint16_t LEAD_TICKS = 20 * TICKS_PER_US;
// Lane 1 starts this much later, so that two equal turns never want the processor at once.
constexpr uint16_t STAGGER_TICKS = 11 * TICKS_PER_US;

// One turn, or two together.
struct Turn {
  uint8_t motor_a;
  int8_t quarters_a;  // -2, -1, 1 or 2
  uint8_t motor_b;    // protocol::NO_MOTOR for none
  int8_t quarters_b;
};

// The lanes are plain globals, so that the step interrupt addresses them directly.
extern Lane lanes[LANES];

class Motion {
 public:
  // Take over settings; only while at rest.
  void configure_motor(uint8_t channel, const MotorSettings& motor);
  void configure_gap(uint32_t gap_us);

  // Called by the main loop.
  uint8_t free_slots() const { return static_cast<uint8_t>(QUEUE_SIZE - queued_); }
  void push(const Turn& turn);  // only with a free slot; starts at once from rest
  bool at_rest() const { return active_ == 0 && queued_ == 0; }  // perhaps in the pause after a turn
  uint8_t finished() const { return finished_; }  // counts turns done completely, mod 256

  // Ends at the next detent and drops the queue. The flag alone already does that at the end of
  // the turn, so that an interrupt may set it; `hurry` also cuts a half turn short if it still can.
  void request_stop() { stop_ = true; }
  bool stop_requested() const { return stop_; }
  void hurry();
  void clear_stop() { stop_ = false; }
  int8_t partial(uint8_t lane) const { return partial_[lane]; }  // quarters of a turn cut short
  void clear_partial() { partial_[0] = partial_[1] = 0; }

  // No further step; for the emergency stop, from any context.
  void halt();

  uint8_t active() const { return active_; }  // lanes at work, a bit each
  uint8_t motor_of(uint8_t lane) const { return motor_[lane]; }

  // A lane's timer event, from its interrupt.
  void on_timer(uint8_t lane);

 private:
  struct Entry {
    uint8_t a;  // motor << 4 | quarters + 2
    uint8_t b;  // the same, or EMPTY
  };
  static constexpr uint8_t EMPTY = 0xFF;

  static Entry pack(const Turn& turn);
  void step(uint8_t lane);
  void start_next(uint16_t from);
  void start_lane(uint8_t lane, uint8_t packed, uint16_t from, uint16_t interval);
  void finish_lane(uint8_t lane);
  void finish_turn(uint8_t lane);
  void rest_from(uint8_t lane);

  Profile profiles_[protocol::MAX_MOTORS][2];  // quarter turn, half turn
  uint8_t reversed_ = 0;                       // motors whose direction is reversed, a bit each
  uint16_t gap_interval_ = LEAD_TICKS;
  uint16_t gap_wait_ = 1;

  Entry queue_[QUEUE_SIZE];
  uint8_t head_ = 0;
  volatile uint8_t queued_ = 0;
  volatile uint8_t active_ = 0;
  volatile uint8_t finished_ = 0;
  volatile bool stop_ = false;
  volatile bool pausing_ = false;  // lane 0 waits for the end of the gap
  uint8_t motor_[LANES] = {0, 0};
  bool was_cut_ = false;
  volatile int8_t partial_[LANES] = {0, 0};
};

}  // namespace thistlebot
