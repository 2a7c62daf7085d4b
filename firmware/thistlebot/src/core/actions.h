// Steps that are more than plain turns: their actions, from start to end.
//
// Used only by the main loop. One step is running at a time.
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

  bool idle() const { return !running_; }
  // Turns of the queue wait until the step here has ended, and it until they have.
  THISTLEBOT_OUT_OF_LINE bool may_begin(const ActionStep& step) const;
  THISTLEBOT_OUT_OF_LINE void begin(const ActionStep& step, uint16_t now_ms);

  // Ends what is over. `stalled`: channels whose motors do not follow, one bit each.
  THISTLEBOT_OUT_OF_LINE void poll(uint16_t now_ms, uint8_t stalled);
  // Takes the step if it has ended completely.
  THISTLEBOT_OUT_OF_LINE bool take_ended();
  // A HOME did not find its place within its travel, or a MOVE_TO has nothing to count from.
  bool not_found() const { return not_found_; }
  THISTLEBOT_OUT_OF_LINE uint8_t homing_on_stall() const;  // channels, a bit each

  // Interrupts the step, as each of its actions defines.
  THISTLEBOT_OUT_OF_LINE void hurry();
  bool was_cut() const { return running_ && cut_; }
  // Is nothing moving any more that a stop waits for?
  bool at_rest() const { return !running_ || !lives(); }
  void forget() {
    running_ = false;
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
    uint16_t note;  // when its dwell ends, the steps before its place was found, or 1 for backward

    protocol::ActionKind kind() const { return static_cast<protocol::ActionKind>(action.kind); }
  };

  THISTLEBOT_OUT_OF_LINE bool lives() const;
  THISTLEBOT_OUT_OF_LINE bool prepare(Part& part, uint8_t lane, Travel& travel);
  THISTLEBOT_OUT_OF_LINE uint16_t way_of(Part& part);
  THISTLEBOT_OUT_OF_LINE void plan_travel(const protocol::Action& action, uint16_t steps,
                                          Profile& profile);
  THISTLEBOT_OUT_OF_LINE void poll_part(Part& part, uint16_t now_ms, uint8_t stalled);
  THISTLEBOT_OUT_OF_LINE void poll_motor(Part& part, uint8_t stalled);
  THISTLEBOT_OUT_OF_LINE void cut_part(Part& part);
  THISTLEBOT_OUT_OF_LINE void end_motor(Part& part, uint16_t made);

  Motion& motion_;
  Servos& servos_;
  Outputs& outputs_;
  const Settings& settings_;
  bool running_;
  bool moves_motors_;
  bool cut_;
  bool not_found_;
  uint16_t began_ms_;
  bool counted_[MOTORS];
  int16_t position_[MOTORS];
  Part parts_[protocol::MAX_ACTIONS];  // those that the step does not have do not live
  Profile profiles_[protocol::MOTORS_TOGETHER];
};

}  // namespace thistlebot
