// The board's safety: states, inputs, time-outs. Communication with the host is in board_session.cpp.
#include "board.h"

#include "hardware.h"

namespace thistlebot {

using protocol::EventKind;

void Board::begin(protocol::BoardKind kind, protocol::ResetCause cause) {
  kind_ = kind;
  cause_ = cause;
  polarity_known_ = store_.begin(settings_);
  if (!polarity_known_) hardware::leave_drivers();
  drivers(false);  // before anything that takes time
  for (uint8_t channel = 0; channel < MOTORS; ++channel) {
    motion_.configure_motor(channel, settings_.motor(channel));
  }
  motion_.configure_gap(settings_.common().gap_us);
}

void Board::poll(uint32_t now_ms) {
  const bool new_ms = now_ms != now_ms_;
  now_ms_ = now_ms;
  if (new_ms && button_.sample(hardware::button_down())) raise(EventKind::BUTTON);
  watch_inputs();
  watch_motion();
  if (getting_ready_) watch_drivers();
  receive();
  begin_steps();
  if (hardware::servo_frame()) servos_.frame();
  if (new_ms) watch_time();
  send_pending();
  if (!moving()) store_.poll(settings_, now_ms_);
}

bool Board::drivers(bool on) {
  const hardware::InterruptLock lock;
  const bool stopped = estop_tripped_ || state_ == State::ESTOP || hardware::estop_open();
  drivers_on_ = on && !stopped;
  if (!drivers_on_) getting_ready_ = false;
  if (polarity_known_) {
    hardware::switch_drivers(drivers_on_, settings_.common().enable_polarity != 0);
  }
  return drivers_on_ == on;
}

void Board::on_estop() {
  estop_tripped_ = true;
  drivers(false);
  motion_.halt();
}

namespace {

// The time of a look at input lines that are set; it takes a lock, which a quiet line is spared.
uint16_t look_time(uint8_t lines) {
  if (lines == 0) return 0;
  const hardware::InterruptLock lock;
  return hardware::timer();
}

}  // namespace

void Board::watch_inputs() {
  // The interrupt sees the edge; the level is looked at too, so that a start with the button
  // pressed, or an edge that was missed, makes no difference.
  const uint8_t open = hardware::estop_open() ? 1 : 0;
  if (estop_.look(open, look_time(open)) != 0 && state_ != State::ESTOP) on_estop();
  if (estop_tripped_) {
    estop_tripped_ = false;
    if (state_ != State::ESTOP) enter_estop();
  }
}

void Board::enter_estop() {
  state_ = State::ESTOP;
  fault_ = Fault::ESTOP;
  drivers(false);
  motion_.halt();
  actions_.halt();
  abort_heard_ = false;
  motion_.clear_stop();
  alignment_unknown_ = true;
  drop_unexecuted();
  raise(EventKind::ESTOP);
}

void Board::watch_motion() {
  const bool rest = motion_.at_rest();  // before the count, so that the count is final
  uint8_t newly = static_cast<uint8_t>(motion_.finished() - seen_finished_);
  seen_finished_ = static_cast<uint8_t>(seen_finished_ + newly);
  actions_.poll(static_cast<uint16_t>(now_ms_), homed_);
  while (actions_.take_ended()) ++newly;
  if (newly != 0) {
    executed_ += newly;
    if (!moving()) drop_unexecuted();  // it ended just before an emergency stop
    ack_wanted_ = true;
  }
  if (moving()) {
    active_ms_ = now_ms_;
    watch_stall();
  }
  if (motion_.stop_requested()) {
    if (moving() && abort_heard_) {
      abort_heard_ = false;
      fault_ = Fault::HOST_ABORT;
      state_ = State::STOPPING;
      actions_.hurry();
    } else if (state_ == State::MOVING) {  // the host is missing: the running turn is completed
      state_ = State::STOPPING;
    } else if (state_ == State::IDLE) {
      fault_ = Fault::HOST_ABORT;
      enter_aborted();
    } else if (state_ == State::STOPPING) {
      if (rest && actions_.at_rest()) enter_aborted();
    } else {  // there is nothing to stop, and nothing later is meant
      abort_heard_ = false;
      motion_.clear_stop();
    }
  } else if (state_ == State::MOVING && actions_.not_found()) {
    fault_ = Fault::NOT_FOUND;
    motion_.request_stop();
    state_ = State::STOPPING;
  } else if (state_ == State::MOVING && rest && queue_.empty() && actions_.idle() &&
             !estop_tripped_) {  // else it was halted
    state_ = State::IDLE;
    raise(EventKind::QUEUE_EMPTY);
  }
}

// The steps are lost: no further step. Only motors that turn can stall, so that one shared
// line tells which it was, unless two turned.
void Board::watch_stall() {
  const auto wired = static_cast<protocol::StallInput>(settings_.common().stall_input);
  if (wired == protocol::StallInput::NONE) return;
  uint8_t lines = motion_.active() != 0 ? hardware::stall_lines(wired) : 0;
  if (lines != 0) lines &= motion_.turning();
  lines = stalls_.look(lines, look_time(lines));
  homed_ = lines & actions_.homing_on_stall();
  lines = static_cast<uint8_t>(lines & ~homed_);
  if (lines == 0) return;
  motion_.halt();
  actions_.halt();
  stalled_motor_ = 0;
  while ((lines >> stalled_motor_ & 1) == 0) ++stalled_motor_;
  const bool two = lines >> stalled_motor_ != 1;
  if (two && wired == protocol::StallInput::SHARED) stalled_motor_ = protocol::NO_MOTOR;
  fault_ = Fault::STALL;
  alignment_unknown_ = true;
  raise(EventKind::STALL);
  enter_aborted();
}

// Between switching the current on and the first step.
void Board::watch_drivers() {
  if (DRIVER_LINES != 0 && driver_setup_.busy()) {
    driver_setup_.poll(settings_);
    return;
  }
  if (DRIVER_LINES != 0 && driver_setup_.failed() != 0) {  // all of them were read: each is reported
    // A motor whose driver has wrong settings might overheat, or lose steps.
    drivers(false);
    alignment_unknown_ = true;
    fault_ = Fault::BOARD_ERROR;
    enter_aborted();
    return;
  }
  if (now_ms_ - enabled_ms_ < settings_.common().enable_settle_ms) return;
  getting_ready_ = false;
}

void Board::enter_aborted() {
  state_ = State::ABORTED;
  abort_heard_ = false;
  motion_.clear_stop();
  if (!actions_.was_cut()) actions_.forget();
  drop_unexecuted();
  raise(EventKind::ABORTED);
}

void Board::drop_unexecuted() {
  queue_.clear();
  accepted_ = executed_;
}

void Board::watch_time() {
  if (heard_) {
    heard_ = false;
    heard_ms_ = now_ms_;
  }
  const uint32_t silence_ms = settings_.common().host_timeout_ms;
  if (state_ == State::MOVING && silence_ms != 0 && now_ms_ - heard_ms_ >= silence_ms) {
    fault_ = Fault::HOST_SILENT;
    motion_.request_stop();
  }
  const uint32_t idle_ms = settings_.common().idle_timeout_ms;
  if (!moving() && drivers_on_ && idle_ms != 0 && now_ms_ - active_ms_ >= idle_ms) {
    drivers(false);
    alignment_unknown_ = true;
    state_ = State::DISABLED;  // the fault of a stop is told until the host clears it
    raise(EventKind::RELEASED);
  }
}

void Board::raise(EventKind kind) {
  events_ = static_cast<uint8_t>(events_ | 1 << static_cast<uint8_t>(kind));
}

}  // namespace thistlebot
