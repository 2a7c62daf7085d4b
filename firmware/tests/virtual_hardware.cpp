#include "virtual_hardware.h"

#include "core/hardware.h"
#include "drivers/tmc2209.h"

namespace thistlebot {

VirtualHardware* virtual_hardware = nullptr;

void VirtualHardware::run_until(uint64_t ticks, const std::function<void(uint8_t)>& on_timer) {
  for (;;) {
    int next = -1;
    for (uint8_t lane = 0; lane < LANES; ++lane) {
      if (armed[lane] && due[lane] <= ticks && (next < 0 || due[lane] < due[next])) next = lane;
    }
    if (next < 0) break;
    now = due[next];
    on_timer(static_cast<uint8_t>(next));
  }
  now = ticks;
}

namespace hardware {

namespace {
VirtualHardware& board() { return *virtual_hardware; }
}  // namespace

InterruptLock::InterruptLock() : saved_(0) {}
InterruptLock::~InterruptLock() { (void)saved_; }

void select_motor(uint8_t lane, uint8_t motor, bool direction_high) {
  board().motor[lane] = motor;
  board().direction[motor] = direction_high;
}

void pulse_begin(uint8_t lane, const PulsePin&) {
  const uint8_t motor = board().motor[lane];
  board().steps.push_back(Step{board().now, motor, board().direction[motor]});
}

void pulse_end(uint8_t, const PulsePin&) {}

uint16_t timer() { return static_cast<uint16_t>(board().now); }
uint16_t due(uint8_t lane) { return static_cast<uint16_t>(board().due[lane]); }

void set_event(uint8_t lane, uint16_t from, uint16_t interval) {
  const uint16_t passed = static_cast<uint16_t>(timer() - from);
  board().due[lane] = board().now + (passed >= interval ? 1 : interval - passed);
}

void arm(uint8_t lane) { board().armed[lane] = true; }
void disarm(uint8_t lane) { board().armed[lane] = false; }

bool driver_exchange(uint8_t line, const uint8_t* request, uint8_t size, uint8_t* answer,
                     uint8_t answer_size) {
  ++board().exchanges;
  if (board().during_exchange) board().during_exchange();
  VirtualHardware::Driver& driver = board().drivers[line][request[1]];
  const bool whole = tmc2209::crc8(request, static_cast<uint8_t>(size - 1)) == request[size - 1];
  if (!driver.present || !whole || request[0] != 0x05) return false;
  if (driver.deaf > 0) {
    --driver.deaf;
    return false;
  }
  if (request[2] & 0x80) {
    driver.registers[request[2] & 0x7F] = static_cast<uint32_t>(request[3]) << 24 |
                                          static_cast<uint32_t>(request[4]) << 16 |
                                          static_cast<uint32_t>(request[5]) << 8 | request[6];
    ++driver.taken;
    return answer_size == 0;
  }
  const uint8_t said[] = {0x05, 0xFF, request[2], 0, 0, 0, driver.taken};
  for (uint8_t i = 0; i < 7; ++i) answer[i] = said[i];
  answer[7] = tmc2209::crc8(said, 7);
  return true;
}

void switch_drivers(bool on, bool active_high) {
  board().drivers_on = on;
  board().drivers_driven = true;
  board().enable_level = on == active_high;
}

void leave_drivers() { board().drivers_driven = false; }

bool estop_open() { return board().estop_open; }
bool button_down() { return board().button_down; }
bool has_stall_line_each() { return board().stall_line_each; }
uint8_t stall_lines(protocol::StallInput wired) {
  if (wired == protocol::StallInput::EACH) return board().stall_lines;
  return board().stall_line ? 0xFF : 0;
}

uint8_t servo_count() { return board().servos; }

void servo_pulse(uint8_t servo, uint16_t us) {
  board().pulse_us[servo] = us;
  board().pulses.push_back(Pulse{board().now, servo, us});
}

bool servo_frame() {
  const uint64_t frame = board().now / (protocol::SERVO_FRAME_MS * 1000UL * TICKS_PER_US);
  if (frame == board().frames) return false;
  board().frames = frame;
  return true;
}

uint8_t output_count() { return 4; }
void output(uint8_t index, bool on) {
  board().outputs[index] = on;
  board().switched.push_back(Switched{board().now, index, on});
}
uint8_t switch_count() { return 4; }
bool switch_closed(uint8_t index) { return board().switches[index]; }

bool receive(uint8_t& byte) {
  if (board().to_board.empty()) return false;
  byte = board().to_board.front();
  board().to_board.pop_front();
  return true;
}

uint8_t transmit_space() { return board().transmit_space; }
void transmit(uint8_t byte) { board().from_board.push_back(byte); }

uint8_t load(uint16_t address) { return board().eeprom.at(address); }
bool storage_ready() { return true; }

void store(uint16_t address, uint8_t value) {
  if (board().stores_until_power_loss == 0) return;
  if (board().stores_until_power_loss > 0) --board().stores_until_power_loss;
  board().eeprom.at(address) = value;
}

}  // namespace hardware
}  // namespace thistlebot
