// Sets drivers up over their lines, and checks the result. drivers/ has the registers of each chip.
//
// A driver counts the writes that it accepted. After a power loss it counts from zero, and is
// then set up again.
#pragma once

#include <stdint.h>

#include "settings.h"

namespace thistlebot {

class DriverSetup {
 public:
  // A setting of the channel's driver has changed: it is written before the next turn.
  void changed(uint8_t channel) { set_up_ = static_cast<uint8_t>(set_up_ & ~(1 << channel)); }

  // Motors are about to get current: each driver is checked for its settings.
  void check(const Settings& settings);

  bool busy() const { return waiting_ != 0; }
  // Channels whose driver does not answer, or answers wrongly.
  uint8_t failed() const { return failed_; }

  // One exchange with a driver, of at most 8 ms; only while nothing turns.
  void poll(const Settings& settings);

 private:
  static constexpr uint8_t TRIES = 5;

  void begin_channel() {
    place_ = 0;
    tries_ = 0;
  }

  uint8_t waiting_;  // channels, a bit each
  uint8_t set_up_;
  uint8_t failed_;
  uint8_t place_;  // 0: ask; 1 to REGISTERS of the chip: write; then ask again
  uint8_t tries_;
  uint8_t before_;
  uint8_t counts_[MOTORS];  // writes that were taken, after the last setup
};

}  // namespace thistlebot
