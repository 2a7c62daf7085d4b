// The settings, checked against the ranges of the message table, and the profiles derived from them.
#pragma once

#include <stdint.h>

#include "../boards/board.h"
#include "messages.h"
#include "out_of_line.h"
#include "profile.h"

namespace thistlebot {

struct MotorSettings {
  uint16_t steps_per_quarter;
  uint16_t rate_steps_s;
  uint32_t acceleration_steps_s2;
  uint8_t direction;
  uint8_t driver_address;
  uint16_t driver_current_ma;
  uint8_t driver_mode;
  uint8_t driver_microsteps;
  uint8_t stall_threshold;
};

struct GlobalSettings {
  uint32_t gap_us;
  uint32_t host_timeout_ms;
  uint32_t idle_timeout_ms;
  uint8_t enable_polarity;
  uint8_t stall_input;
  uint16_t enable_settle_ms;
};

class Settings {
 public:
  // Bytes that `write` fills and `read` takes.
  static constexpr uint8_t STORED_SIZE = MOTORS * 15 + 16;

  // Outcome of a request; a Reason of the protocol otherwise.
  static constexpr uint8_t OK = 0;

  Settings();

  // OK, UNKNOWN_KEY or OUT_OF_RANGE. `changed` says whether the value is new.
  uint8_t set(uint8_t key, uint8_t motor, uint32_t value, bool& changed);

  const MotorSettings& motor(uint8_t channel) const { return motors_[channel]; }
  const GlobalSettings& common() const { return global_; }

  // Row by row of the table, little endian.
  void write(uint8_t* to);
  // False, and nothing changes, if a value lies outside its range.
  THISTLEBOT_OUT_OF_LINE bool read(const uint8_t* from);

 private:
  // A setting's variable.
  struct Place {
    void* at;
    uint8_t size;

    uint32_t load() const;
    void store(uint32_t value) const;
  };

  // Of a row of the table; of a row that all motors share, whatever the motor.
  THISTLEBOT_OUT_OF_LINE Place place(uint8_t row, uint8_t motor);

  MotorSettings motors_[MOTORS];
  GlobalSettings global_;
};

}  // namespace thistlebot
