// Steps that are more than plain turns: their actions, from start to end.
//
// Used only by the main loop. At most two steps are running: one, and the next that began early.
#pragma once

#include <stdint.h>

#include "out_of_line.h"
#include "motion.h"
#include "outputs.h"
#include "profile.h"
#include "servos.h"
#include "settings.h"
#include "step_queue.h"

namespace thistlebot {

class Actions {
 public:
  Actions(Motion& motion, Servos& servos, Outputs& outputs, const Settings& settings)
      : motion_(motion), servos_(servos), outputs_(outputs), settings_(settings) {}

  bool idle() const { return under_way_ == 0; }
  // Turns of the queue wait until the steps here have ended.
  THISTLEBOT_OUT_OF_LINE bool may_begin(const ActionStep& step, uint16_t now_ms) const;
  THISTLEBOT_OUT_OF_LINE void begin(const ActionStep& step, uint16_t now_ms);
  // When the running turns of the queue began, for steps that depend on it.
  void turns_began(uint16_t now_ms) { turns_began_ms_ = now_ms; }

  // Ends what is over. `stalled`: channels whose motors do not follow, one bit each.
  THISTLEBOT_OUT_OF_LINE void poll(uint16_t now_ms, uint8_t stalled);
  // Takes a step that has ended completely, oldest first.
  THISTLEBOT_OUT_OF_LINE bool take_ended();
  // A HOME did not find its place within its travel, or a MOVE_TO has nothing to count from.
  bool not_found() const { return not_found_; }
  THISTLEBOT_OUT_OF_LINE uint8_t homing_on_stall() const;  // channels, a bit each

  // Interrupts the latest step, as each of its actions defines; the previous one, which began
  // first, continues to its end.
  THISTLEBOT_OUT_OF_LINE void hurry(uint16_t now_ms);
  bool was_cut() const { return under_way_ != 0 && runs_[under_way_ - 1].cut; }
  // Is nothing moving any more that a stop waits for?
  THISTLEBOT_OUT_OF_LINE bool at_rest() const;
  // What the actions of the interrupted step did.
  int16_t done(uint8_t action) const {
    return static_cast<int16_t>(runs_[under_way_ - 1].parts[action].note);
  }
  void forget() {
    under_way_ = 0;
    not_found_ = false;
  }

  // Everything ends at once; the servos stay where they are, under power.
  THISTLEBOT_OUT_OF_LINE void halt();
  // The drivers hold the motors from now on: their steps count from here.
  THISTLEBOT_OUT_OF_LINE void count_from_here();
  // The motor's position is unknown from now on, until it is homed or the drivers are switched on.
  void note_turn(uint8_t motor) { counted_[motor] = false; }

 private:
  // An action of a running step.
  struct Part {
    protocol::Action action;
    bool live;
    bool later;   // a dwell has begun, or a HOME has found its place
    uint8_t lane; // that turns its motor
    // While it lives: when its dwell ends, the steps before its place was found, or 1 for backward.
    // After it: what it did.
    uint16_t note;

    protocol::ActionKind kind() const { return static_cast<protocol::ActionKind>(action.kind); }
  };

  struct Run {
    uint16_t began_ms;
    bool moves_motors;
    bool cut;
    Part parts[protocol::MAX_ACTIONS];  // those that the step does not have do not live

    THISTLEBOT_OUT_OF_LINE bool lives() const;
  };

  THISTLEBOT_OUT_OF_LINE bool waits_for(const Run& run, const ActionStep& step) const;
  THISTLEBOT_OUT_OF_LINE bool prepare(Part& part, uint8_t lane, Travel& travel);
  THISTLEBOT_OUT_OF_LINE uint16_t way_of(Part& part);
  THISTLEBOT_OUT_OF_LINE void plan_travel(const protocol::Action& action, uint16_t steps,
                                          Profile& profile);
  THISTLEBOT_OUT_OF_LINE void poll_part(Run& run, Part& part, uint16_t now_ms, uint8_t stalled);
  THISTLEBOT_OUT_OF_LINE void poll_motor(Run& run, Part& part, uint8_t stalled);
  THISTLEBOT_OUT_OF_LINE void cut_part(Run& run, Part& part, uint16_t now_ms);
  THISTLEBOT_OUT_OF_LINE void end_motor(Run& run, Part& part, uint16_t made);

  Motion& motion_;
  Servos& servos_;
  Outputs& outputs_;
  const Settings& settings_;
  uint8_t under_way_;
  bool not_found_;
  uint16_t turns_began_ms_;
  bool counted_[MOTORS];
  int16_t position_[MOTORS];
  Run runs_[2];
  Profile profiles_[protocol::MOTORS_TOGETHER];
};

}  // namespace thistlebot
