// A simulated board: time that only moves when a test says so, pins and bytes as plain values.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "core/motion.h"

namespace thistlebot {

struct Step {
  uint64_t ticks;
  uint8_t motor;
  bool high;  // level of DIR
};

struct Pulse {
  uint64_t ticks;
  uint8_t servo;
  uint16_t us;
};

struct Switched {
  uint64_t ticks;
  uint8_t output;
  bool on;
};

struct VirtualHardware {
  uint64_t now = 0;  // ticks
  bool armed[LANES] = {};
  uint64_t due[LANES] = {};
  uint8_t motor[LANES] = {};
  bool direction[MOTORS] = {};
  std::vector<Step> steps;

  bool drivers_on = false;
  bool drivers_driven = false;  // else the enable pin has its weak pull-up
  bool enable_level = true;     // of the driven pin
  bool estop_open = false;
  bool button_down = false;
  bool stall_line = false;     // of all drivers together
  uint8_t stall_lines = 0;     // of each driver, one bit each
  bool stall_line_each = true;

  uint8_t servos = 6;
  uint16_t pulse_us[6] = {};
  std::vector<Pulse> pulses;  // each change
  uint64_t frames = 0;        // told to the board
  bool outputs[4] = {};
  std::vector<Switched> switched;
  bool switches[4] = {};

  // Drivers on UARTs, by line and address: registers as they were written, and how often.
  struct Driver {
    bool present = false;
    std::map<uint8_t, uint32_t> registers;
    uint8_t taken = 0;
    int deaf = 0;  // requests that it will ignore
  };
  Driver drivers[2][4];
  long exchanges = 0;
  std::function<void()> during_exchange;  // an interrupt, say

  std::deque<uint8_t> to_board;
  std::vector<uint8_t> from_board;
  uint8_t transmit_space = 127;

  std::vector<uint8_t> eeprom = std::vector<uint8_t>(1024, 0xFF);
  long stores_until_power_loss = -1;  // -1: the power stays

  // Runs lane events up to a time; `on_timer` is the interrupt.
  void run_until(uint64_t ticks, const std::function<void(uint8_t)>& on_timer);
};

extern VirtualHardware* virtual_hardware;

// Makes a new board the current one as long as it exists.
class Fixture {
 public:
  Fixture() { virtual_hardware = &hardware; }
  ~Fixture() { virtual_hardware = nullptr; }
  VirtualHardware hardware;
};

// Did a motor with 400 steps a quarter make the whole turn, or the first quarter of a half turn?
inline bool is_part(long steps, int quarters) {
  return steps == 400L * quarters || (quarters % 2 == 0 && steps == 200L * quarters);
}

}  // namespace thistlebot
