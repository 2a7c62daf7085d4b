// The whole board without its hardware: session with the host, safety states, inputs, settings.
#pragma once

#include <stdint.h>

#include "out_of_line.h"
#include "actions.h"
#include "debounce.h"
#include "driver_setup.h"
#include "frame.h"
#include "messages.h"
#include "motion.h"
#include "outputs.h"
#include "out_of_band.h"
#include "servos.h"
#include "settings.h"
#include "steady.h"
#include "step_queue.h"
#include "store.h"

namespace thistlebot {

// The one board lies in static memory, which begins as zeros. Its parts therefore do not say that they
// do, which would take 250 bytes of code; anywhere else they have to be made by `Board board{}`.
class Board {
 public:
  // Drivers stay off until the host enables them.
  void begin(protocol::BoardKind kind, protocol::ResetCause cause);

  // Called by the main loop; never waits.
  void poll(uint32_t now_ms);

  // From the receive interrupt, for the frames that OutOfBand found.
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
  bool quiet() const { return motion_.at_rest() && actions_.idle() && !store_.busy() && events_ == 0; }

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
  THISTLEBOT_OUT_OF_LINE void enter_estop();
  void watch_stall();
  THISTLEBOT_OUT_OF_LINE void drop_unexecuted();
  THISTLEBOT_OUT_OF_LINE void begin_steps();
  THISTLEBOT_OUT_OF_LINE bool begin_actions(uint16_t now_ms);
  uint8_t free_places() const {
    return static_cast<uint8_t>(protocol::QUEUE_PLACES - queue_.used() - motion_.waiting());
  }
  // The one place that switches the drivers; false if an emergency stop keeps them off.
  bool drivers(bool on);

  void receive();
  void handle(const Packet& packet);
  uint8_t carry_out(const Packet& packet);
  THISTLEBOT_OUT_OF_LINE uint8_t step(const Packet& packet);
  THISTLEBOT_OUT_OF_LINE uint8_t refusal(const ActionStep& step) const;
  THISTLEBOT_OUT_OF_LINE uint8_t refusal(const protocol::Action& action) const;
  uint8_t set(const uint8_t* payload);
  uint8_t enable(const uint8_t* payload);
  uint8_t clear();
  THISTLEBOT_OUT_OF_LINE void forget_stop();

  void send_pending();
  bool send_next_event();
  void send(protocol::MessageType type, const uint8_t* payload, uint8_t size);
  void send_hello_reply(uint16_t nonce);
  void send_ack();
  void send_nak(uint8_t refused, uint8_t reason);
  void send_status();
  void raise(protocol::EventKind kind);

  bool moving() const { return state_ == State::MOVING || state_ == State::STOPPING; }

  // The large ones come last: an AVR reaches only the first 64 bytes of an object directly.
  protocol::BoardKind kind_ = protocol::BoardKind::HOST;
  protocol::ResetCause cause_ = protocol::ResetCause::UNKNOWN;
  State state_ = State::DISABLED;
  Fault fault_ = Fault::NONE;
  bool drivers_on_;
  volatile bool getting_ready_;  // drivers are set up, or the current settles: no step begins yet
  bool polarity_known_;  // until then the enable pin is not driven
  bool alignment_unknown_ = true;
  volatile bool estop_tripped_;
  volatile bool abort_heard_;
  volatile bool status_wanted_;
  volatile bool heard_;
  bool ack_wanted_;

  uint8_t next_seq_;
  uint8_t sent_;         // numbers the messages to the host
  uint8_t events_;       // still to be sent, a bit for each EventKind
  uint8_t seen_finished_;
  uint8_t stalled_motor_;
  uint8_t homed_;          // channels whose stall is what a HOME looks for, a bit each
  uint32_t accepted_;
  uint32_t executed_;
  uint32_t now_ms_;
  uint32_t heard_ms_;    // when the host was last heard
  uint32_t enabled_ms_;  // when the current was switched on
  uint32_t active_ms_;   // when the motors were last needed

  Settings settings_;
  Store store_;
  DriverSetup driver_setup_;
  Motion motion_;
  FrameDecoder decoder_;
  Debounce button_;
  Steady estop_;
  Steady stalls_;
  Servos servos_;
  Outputs outputs_;
  Actions actions_{motion_, servos_, outputs_, settings_};
  StepQueue queue_;
};

}  // namespace thistlebot
