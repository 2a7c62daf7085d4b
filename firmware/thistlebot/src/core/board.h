// The whole board without its hardware: session with the host, safety states, inputs, settings.
#pragma once

#include <stdint.h>

#include "debounce.h"
#include "frame.h"
#include "messages.h"
#include "motion.h"
#include "out_of_band.h"
#include "settings.h"
#include "steady.h"
#include "store.h"
#include "tmc2209.h"

namespace thistlebot {

class Board {
 public:
  // Drivers stay off until the host enables them.
  void begin(protocol::BoardKind kind, protocol::ResetCause cause);

  // The main loop's turn; never waits.
  void poll(uint32_t now_ms);

  // From the receive interrupt, for what OutOfBand found in it.
  void on_out_of_band(uint8_t found) {
    heard_ = true;
    if (found == OutOfBand::ABORT) {
      abort_heard_ = true;
      motion_.request_stop();
    } else {
      status_wanted_ = true;
    }
  }

  // From the interrupt of the emergency stop's input.
  void on_estop();

  // From the interrupt of a lane.
  void on_timer(uint8_t lane) { motion_.on_timer(lane); }
  void on_stage_end(uint8_t lane) { motion_.on_stage_end(lane); }

  const Motion& motion() const { return motion_; }
  protocol::State state() const { return state_; }
  bool quiet() const { return motion_.at_rest() && !store_.busy() && events_ == 0; }

 private:
  using State = protocol::State;
  using Fault = protocol::Fault;
  using Reason = protocol::Reason;

  static constexpr uint8_t ACCEPTED = 0;  // else a Reason

  void watch_inputs();
  void watch_motion();
  void watch_time();
  void watch_drivers();
  void enter_aborted();
  void enter_estop();
  void watch_stall();
  void drop_unexecuted() { accepted_ = executed_; }
  // The one place that switches the drivers; false if an emergency stop keeps them off.
  bool drivers(bool on);

  void receive();
  void handle(const Packet& packet);
  uint8_t carry_out(const Packet& packet);
  uint8_t move(const uint8_t* payload);
  uint8_t set(const uint8_t* payload);
  uint8_t get(const uint8_t* payload);
  uint8_t enable(const uint8_t* payload);
  uint8_t clear();
  void forget_stop();

  void send_pending();
  bool send_next_event();
  void send(protocol::MessageType type, const uint8_t* payload, uint8_t size);
  void send_hello_reply(uint16_t nonce);
  void send_ack();
  void send_nak(uint8_t refused, uint8_t reason);
  void send_status();
  void raise(protocol::EventKind kind);

  bool moving() const { return state_ == State::MOVING || state_ == State::STOPPING; }

  Settings settings_;
  Store store_;
  DriverSetup driver_setup_;
  Motion motion_;
  FrameDecoder decoder_;
  Debounce button_;
  Steady estop_;
  Steady stalls_;

  protocol::BoardKind kind_ = protocol::BoardKind::HOST;
  protocol::ResetCause cause_ = protocol::ResetCause::UNKNOWN;
  State state_ = State::DISABLED;
  Fault fault_ = Fault::NONE;
  bool drivers_on_ = false;
  bool getting_ready_ = false;  // drivers are set up, or the current settles
  bool polarity_known_ = false;  // until then the enable pin is not driven
  bool alignment_unknown_ = true;
  volatile bool estop_tripped_ = false;
  volatile bool abort_heard_ = false;
  volatile bool status_wanted_ = false;
  volatile bool heard_ = false;
  bool ack_wanted_ = false;

  uint8_t next_seq_ = 0;
  uint8_t sent_ = 0;         // numbers the messages to the host
  uint8_t events_ = 0;       // still to be sent, a bit for each EventKind
  uint8_t seen_finished_ = 0;
  uint8_t stalled_motor_ = 0;
  uint32_t accepted_ = 0;
  uint32_t executed_ = 0;
  uint32_t now_ms_ = 0;
  uint32_t heard_ms_ = 0;    // when the host was last heard
  uint32_t enabled_ms_ = 0;  // when the current was switched on
  uint32_t active_ms_ = 0;   // when the motors were last needed
};

}  // namespace thistlebot
