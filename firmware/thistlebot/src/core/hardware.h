// What the core needs from a board. src/avr implements it; so does the host build of the tests.
//
// Times are 16-bit counts of a timer that runs freely at TICKS_PER_S. A lane is one compare
// channel of that timer, or of another that runs beside it; its event calls Motion::on_timer.
#pragma once

#include <stdint.h>

#include "lane.h"
#include "messages.h"

namespace thistlebot {
namespace hardware {

// Keeps the interrupts out while it exists.
class InterruptLock {
 public:
  InterruptLock();
  ~InterruptLock();
  InterruptLock(const InterruptLock&) = delete;
  InterruptLock& operator=(const InterruptLock&) = delete;

 private:
  uint8_t saved_;
};

// Step lanes. Those with times are called with interrupts off.
void select_motor(uint8_t lane, uint8_t motor, bool direction_high);
void pulse_begin(uint8_t lane, const PulsePin& pin);
void pulse_end(uint8_t lane, const PulsePin& pin);
uint16_t timer();
uint16_t due(uint8_t lane);                                // time of the lane's last event
void set_event(uint8_t lane, uint16_t from, uint16_t interval);  // time of its next event
void arm(uint8_t lane);                                    // from now on the event happens
void disarm(uint8_t lane);

// Servos.
uint8_t servo_count();
// Length of the pulse of each frame from the next one on, in steps of a microsecond: the edges are made
// by a timer, so a finer unit would be finer than a servo. 0: no pulse, as after a start.
void servo_pulse(uint8_t servo, uint16_t pulse_us);
bool servo_frame();  // true once for each frame of 20 ms

// Outputs, off after a start, and switches.
uint8_t output_count();
void output(uint8_t index, bool on);
uint8_t switch_count();
bool switch_closed(uint8_t index);

// Drivers and inputs.
void switch_drivers(bool on, bool active_high);
// As long as the polarity is unknown: a weak pull-up, off for most drivers; a resistor of
// 10 kilohms to ground wins against it.
void leave_drivers();
bool estop_open();    // pressed, or its wire broken
bool button_down();
bool has_stall_line_each();
// Channels whose driver reports that its motor does not follow: one bit each, or all of them from the line
// that the drivers share.
uint8_t stall_lines(protocol::StallInput wired);

// The one-wire UARTs of drivers: sends a request, and takes an answer unless that has no bytes. False if
// none comes. Takes 8 ms at most; only while nothing turns.
bool driver_exchange(uint8_t line, const uint8_t* request, uint8_t size, uint8_t* answer,
                     uint8_t answer_size);

// Serial line.
bool receive(uint8_t& byte);
uint8_t transmit_space();
void transmit(uint8_t byte);

// EEPROM.
uint8_t load(uint16_t address);
bool storage_ready();
void store(uint16_t address, uint8_t value);  // takes effect while storage_ready() is false

}  // namespace hardware
}  // namespace thistlebot

#if defined(__AVR__)
#include "../avr/lane_hardware.h"
#endif
