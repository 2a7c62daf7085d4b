// The servos' pulses: speed ramps against jerks, and the behaviour after a stop.
//
// A servo has no pulses after the board's start and can be pushed anywhere. Its first position is
// therefore reached as fast as it can; from then on the board knows where it is. Nothing but a
// POSITION of 0, ENABLE off and a restart takes its pulses away: a stop holds it where it is.
#pragma once

#include <stdint.h>

#include "../boards/board.h"
#include "out_of_line.h"

namespace thistlebot {

class Servos {
 public:
  static constexpr uint8_t MOST = SERVOS != 0 ? SERVOS : 1;

  // 0 us: no pulses. At most `speed` microseconds a frame further; 0: no limit.
  THISTLEBOT_OUT_OF_LINE void aim(uint8_t servo, uint16_t pulse_us, uint8_t speed);
  bool reached(uint8_t servo) const { return servos_[servo].at == servos_[servo].target; }

  // The servo stays where it is.
  void hold(uint8_t servo);
  THISTLEBOT_OUT_OF_LINE void hold_all();
  THISTLEBOT_OUT_OF_LINE void release_all();

  THISTLEBOT_OUT_OF_LINE uint8_t with_pulses() const;  // one bit each

  // Once each frame of 20 ms.
  THISTLEBOT_OUT_OF_LINE void frame();

 private:
  struct Servo {
    uint16_t at;      // present pulse; 0: none, and its position is unknown
    uint16_t target;
    uint8_t speed;    // us a frame
    uint8_t pace;     // of the frame before
  };

  THISTLEBOT_OUT_OF_LINE static uint8_t next_pace(const Servo& servo, uint16_t distance);
  THISTLEBOT_OUT_OF_LINE void put(uint8_t servo, uint16_t pulse_us);

  Servo servos_[MOST];
};

}  // namespace thistlebot
