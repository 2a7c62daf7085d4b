// Sets TMC2209 drivers up over their one-wire UART, and makes sure that they took it.
//
// Registers and datagrams: TMC2209 data sheet, sections 4 and 5. A driver counts the datagrams that it
// took (IFCNT). One that has lost its power counts from zero again, and is then set up anew.
#pragma once

#include <stdint.h>

#include "settings.h"

namespace thistlebot {

namespace tmc2209 {

constexpr uint8_t READ_SIZE = 4;
constexpr uint8_t WRITE_SIZE = 8;  // and of the answer to a read request
constexpr uint8_t REGISTERS = 8;   // that are set up

uint8_t crc8(const uint8_t* bytes, uint8_t size);
// The number of the register at a place of the list, and its value for a motor.
uint8_t register_at(uint8_t place);
uint32_t value_at(uint8_t place, const MotorSettings& motor);

}  // namespace tmc2209

class DriverSetup {
 public:
  // A setting of the channel's driver is another one: it is written before the next turn.
  void changed(uint8_t channel) { set_up_ = static_cast<uint8_t>(set_up_ & ~(1 << channel)); }

  // Motors are about to get current: each driver is asked whether it still is as it was set up.
  void check(const Settings& settings);

  bool busy() const { return waiting_ != 0; }
  // Channels whose driver does not answer, or not as it should.
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
  uint8_t place_;  // 0: ask; 1 to REGISTERS: write; then ask again
  uint8_t tries_;
  uint8_t before_;
  uint8_t counts_[MOTORS];  // IFCNT after the last setup
};

}  // namespace thistlebot
