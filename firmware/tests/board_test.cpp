// The whole board in simulated time, driven like a host does: bytes in, bytes out.
#include "board_bench.h"

#include <random>
#include <utility>

namespace thistlebot {
namespace {

TEST(hello_says_who_and_where) {
  Bench bench;
  bench.send_packet(MessageType::HELLO, 0, Bench::payload_of(protocol::HelloMessage{1, 0xBEEF}));
  bench.wait_ms(2);
  protocol::HelloReplyMessage reply;
  CHECK(bench.find(reply));
  CHECK_EQUAL(reply.nonce, 0xBEEF);
  CHECK_EQUAL(reply.protocol, protocol::PROTOCOL_VERSION);
  CHECK_EQUAL(reply.board, static_cast<uint8_t>(protocol::BoardKind::HOST));
  CHECK_EQUAL(reply.reset_cause, static_cast<uint8_t>(protocol::ResetCause::POWER_ON));
  CHECK_EQUAL(reply.state, static_cast<uint8_t>(State::DISABLED));
  CHECK_EQUAL(reply.next_seq, 0);
  CHECK_EQUAL(reply.credits, protocol::QUEUE_PLACES);
  CHECK_EQUAL(reply.queue_size, protocol::QUEUE_PLACES);
}

TEST(a_solve_from_enable_to_queue_empty) {
  Bench bench;
  CHECK_EQUAL(bench.move(0, 1), code(Reason::NOT_ENABLED));
  CHECK(bench.status().flags & static_cast<uint8_t>(Flag::ALIGNMENT_UNKNOWN));
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK(bench.hardware.drivers_on);
  CHECK_EQUAL(bench.status().flags, 0);
  CHECK_EQUAL(bench.move(0, 1), 0);
  CHECK_EQUAL(bench.move(1, -2, 4, 1), 0);
  CHECK(bench.state() == State::MOVING);
  bench.forget();
  bench.wait_ms(300);
  CHECK(bench.event(EventKind::QUEUE_EMPTY));
  const protocol::StatusMessage status = bench.status();
  CHECK_EQUAL(status.accepted, 2);
  CHECK_EQUAL(status.executed, 2);
  CHECK_EQUAL(status.state, static_cast<uint8_t>(State::IDLE));
  CHECK_EQUAL(bench.position(0), 400);
  CHECK_EQUAL(bench.position(1), -800);
  CHECK_EQUAL(bench.position(4), 400);
}

TEST(moves_that_are_refused) {
  Bench bench;
  CHECK_EQUAL(bench.enable(1), 0);
  for (const uint16_t number : {0, 2, 3, 65535}) {
    CHECK_EQUAL(bench.request(MessageType::STEP,
                              step_payload(number, {turn(0, 1)})),
                code(Reason::WRONG_NUMBER));
  }
  const uint8_t refused = code(Reason::OUT_OF_RANGE);
  CHECK_EQUAL(bench.move(6, 1), refused);
  CHECK_EQUAL(bench.move(0, 0), refused);
  CHECK_EQUAL(bench.move(0, 3), refused);
  CHECK_EQUAL(bench.move(0, -3), refused);
  CHECK_EQUAL(bench.move(0, 1, 0, 1), refused);
  CHECK_EQUAL(bench.move(0, 1, 6, 1), refused);
  CHECK_EQUAL(bench.move(0, 1, 3, 0), refused);
  CHECK_EQUAL(bench.move(0, 1, protocol::NO_MOTOR, 1), refused);
  CHECK_EQUAL(bench.step({turn(0, 1), turn(3, 1), turn(1, 1)}), refused);  // three motors
  CHECK_EQUAL(bench.step({turn(0, 1)}, Begin::AFTER_END, 5), refused);
  CHECK_EQUAL(bench.step({turn(0, 1)}, static_cast<Begin>(3)), refused);
  CHECK_EQUAL(bench.step({act(ActionKind::TURN, 0, 1, 1)}), refused);
  CHECK_EQUAL(bench.step({act(ActionKind::TURN, 0, 1, 0, 1)}), refused);
  CHECK_EQUAL(bench.step({act(static_cast<ActionKind>(7), 0, 1)}), refused);
  CHECK_EQUAL(bench.step({}), code(Reason::UNKNOWN_TYPE));
  Bytes torn = step_payload(1, {turn(0, 1), turn(3, 1)});
  torn.pop_back();
  CHECK_EQUAL(bench.request(MessageType::STEP, torn), code(Reason::UNKNOWN_TYPE));
  CHECK_EQUAL(bench.request(static_cast<MessageType>(0x77), {}), code(Reason::UNKNOWN_TYPE));
  CHECK_EQUAL(bench.request(MessageType::ENABLE, {1, 2}), code(Reason::UNKNOWN_TYPE));
  for (int i = 0; i <= protocol::QUEUE_PLACES; ++i) CHECK_EQUAL(bench.move(0, 2), 0);
  // Two milliseconds pass with each; some turns have finished meanwhile.
  while (bench.status().credits > 0) CHECK_EQUAL(bench.move(0, 2), 0);
  CHECK_EQUAL(bench.move(0, 1), code(Reason::NO_CREDIT));
  CHECK_EQUAL(bench.set(Setting::GAP_US, protocol::NO_MOTOR, 5), code(Reason::BUSY));
  CHECK_EQUAL(bench.enable(0), code(Reason::BUSY));
  CHECK_EQUAL(bench.clear(), code(Reason::BUSY));
}

TEST(a_repeated_or_later_message_changes_nothing) {
  Bench bench;
  CHECK_EQUAL(bench.enable(1), 0);
  const uint8_t expected = bench.seq;
  for (const int offset : {-1, 1, 2, 100}) {
    bench.forget();
    bench.send_packet(MessageType::STEP, static_cast<uint8_t>(expected + offset),
                      step_payload(1, {turn(0, 1)}));
    bench.wait_ms(2);
    protocol::AckMessage ack;
    CHECK(bench.find(ack));
    CHECK_EQUAL(ack.next_seq, expected);
    CHECK_EQUAL(ack.accepted, 0);
  }
  bench.wait_ms(100);
  CHECK(bench.hardware.steps.empty());
}

TEST(settings_are_set) {
  Bench bench;
  CHECK_EQUAL(bench.set(Setting::STEPS_PER_QUARTER, 2, 800), 0);
  CHECK_EQUAL(bench.set(Setting::STEPS_PER_QUARTER, 6, 800), code(Reason::OUT_OF_RANGE));
  CHECK_EQUAL(bench.set(Setting::RATE_STEPS_S, 2, 60000), code(Reason::OUT_OF_RANGE));
  CHECK_EQUAL(bench.set(static_cast<Setting>(99), 2, 1), code(Reason::UNKNOWN_KEY));
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(2, 1), 0);
  bench.wait_ms(300);
  CHECK_EQUAL(bench.position(2), 800);
}

TEST(abort_ends_at_a_detent_and_drops_the_queue) {
  std::mt19937 random(31);
  for (int i = 0; i < 150; ++i) {
    Bench bench;
    CHECK_EQUAL(bench.enable(1), 0);
    for (uint8_t motor = 0; motor < 6; ++motor) CHECK_EQUAL(bench.move(motor, i % 2 ? 2 : 1), 0);
    bench.wait_ms(random() % 400);
    const bool idle = bench.state() == State::IDLE;
    bench.forget();
    bench.abort();
    bench.wait_ms(1);
    bench.wait_ms(100);
    CHECK(bench.event(EventKind::ABORTED));
    const protocol::StatusMessage status = bench.status();
    CHECK_EQUAL(status.state, static_cast<uint8_t>(State::ABORTED));
    CHECK_EQUAL(status.fault, static_cast<uint8_t>(Fault::HOST_ABORT));
    CHECK_EQUAL(status.accepted, status.executed);
    CHECK_EQUAL(status.credits, protocol::QUEUE_PLACES);
    CHECK(bench.hardware.drivers_on);
    long turned = 0;
    for (uint8_t motor = 0; motor < 6; ++motor) {
      CHECK_EQUAL(bench.position(motor) % 400, 0);
      turned += bench.position(motor) / 400;
    }
    CHECK_EQUAL(turned, static_cast<long>(status.executed) * (i % 2 ? 2 : 1) + bench.cut(status));
    if (idle) CHECK_EQUAL(status.executed, 6);
    bench.accepted = status.accepted;
    CHECK_EQUAL(bench.move(0, 1), code(Reason::ABORTED));
    CHECK_EQUAL(bench.clear(), 0);
    CHECK(!bench.cut(bench.status()));
    CHECK_EQUAL(bench.move(0, 1), 0);
    bench.wait_ms(100);
    CHECK_EQUAL(bench.status().executed, bench.accepted);
  }
}

TEST(abort_does_nothing_when_there_is_nothing_to_stop) {
  Bench bench;
  bench.abort();
  bench.wait_ms(3);
  CHECK(bench.state() == State::DISABLED);
  CHECK_EQUAL(bench.enable(1), 0);
  bench.abort();
  bench.wait_ms(3);
  CHECK(bench.state() == State::ABORTED);
  CHECK_EQUAL(bench.enable(1), code(Reason::ABORTED));
  CHECK_EQUAL(bench.clear(), 0);
  CHECK(bench.state() == State::IDLE);
}

TEST(emergency_stop_cuts_the_drivers) {
  Bench bench;
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(0, 1), 0);
  CHECK_EQUAL(bench.move(1, 1), 0);
  bench.wait_ms(10);
  const size_t steps = bench.hardware.steps.size();
  bench.forget();
  bench.hardware.estop_open = true;
  bench.board.on_estop();
  CHECK(!bench.hardware.drivers_on);
  bench.wait_ms(200);
  CHECK_EQUAL(bench.hardware.steps.size(), steps);
  CHECK(bench.event(EventKind::ESTOP));
  CHECK(!bench.event(EventKind::QUEUE_EMPTY));
  protocol::StatusMessage status = bench.status();
  CHECK_EQUAL(status.state, static_cast<uint8_t>(State::ESTOP));
  CHECK_EQUAL(status.accepted, status.executed);
  CHECK_EQUAL(status.flags, static_cast<uint8_t>(Flag::ALIGNMENT_UNKNOWN) |
                                static_cast<uint8_t>(Flag::ESTOP_DOWN));
  bench.accepted = status.accepted;
  CHECK_EQUAL(bench.clear(), code(Reason::ESTOP));
  CHECK_EQUAL(bench.enable(1), code(Reason::ESTOP));
  CHECK_EQUAL(bench.move(0, 1), code(Reason::ESTOP));
  bench.hardware.estop_open = false;
  CHECK_EQUAL(bench.enable(1), code(Reason::ESTOP));
  CHECK_EQUAL(bench.clear(), 0);
  CHECK(bench.state() == State::DISABLED);
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(0, 1), 0);
}

TEST(a_stall_ends_the_turn_when_the_input_is_used) {
  for (const uint32_t used : {0u, 1u}) {
    Bench bench;
    CHECK_EQUAL(bench.set(Setting::STALL_INPUT, protocol::NO_MOTOR, used), 0);
    CHECK_EQUAL(bench.enable(1), 0);
    CHECK_EQUAL(bench.move(2, 2), 0);
    CHECK_EQUAL(bench.move(4, 1), 0);
    bench.wait_ms(10);
    bench.hardware.stall_line = true;
    bench.wait_ms(2);
    bench.hardware.stall_line = false;
    const size_t steps = bench.hardware.steps.size();
    bench.wait_ms(150);
    CHECK_EQUAL(bench.event(EventKind::STALL), used == 1);
    CHECK_EQUAL(bench.hardware.steps.size() == steps, used == 1);
    const protocol::StatusMessage status = bench.status();
    CHECK_EQUAL(status.state, static_cast<uint8_t>(used == 1 ? State::ABORTED : State::IDLE));
    CHECK_EQUAL(status.executed, used == 1 ? 0 : 2);
    if (used == 0) continue;
    CHECK_EQUAL(status.fault, static_cast<uint8_t>(Fault::STALL));
    CHECK(status.flags & static_cast<uint8_t>(Flag::ALIGNMENT_UNKNOWN));
    CHECK_EQUAL(status.accepted, 0);
  }
}

TEST(a_stop_is_forgotten_when_the_motors_are_switched_off_and_on) {
  Bench bench;
  CHECK_EQUAL(bench.set(Setting::STALL_INPUT, protocol::NO_MOTOR, 1), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(0, 2), 0);
  bench.wait_ms(10);
  bench.abort();
  bench.wait_ms(100);
  CHECK(bench.cut(bench.status()));
  bench.accepted = bench.status().accepted;
  CHECK_EQUAL(bench.enable(0), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK(!bench.cut(bench.status()));
  CHECK_EQUAL(bench.status().fault, static_cast<uint8_t>(Fault::NONE));
  CHECK_EQUAL(bench.move(0, 1), 0);
  bench.wait_ms(10);
  bench.hardware.stall_line = true;
  bench.wait_ms(2);
  bench.hardware.stall_line = false;
  CHECK(bench.state() == State::ABORTED);
  bench.accepted = bench.status().accepted;
  CHECK_EQUAL(bench.enable(0), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(0, 1), 0);
  bench.wait_ms(100);
  CHECK_EQUAL(bench.status().executed, bench.accepted);  // it is completed, not only accepted
}

TEST(a_shared_stall_line_names_the_motor_only_when_one_turns) {
  for (const bool two : {false, true}) {
    Bench bench;
    CHECK_EQUAL(bench.set(Setting::STALL_INPUT, protocol::NO_MOTOR, 1), 0);
    CHECK_EQUAL(bench.enable(1), 0);
    CHECK_EQUAL(two ? bench.move(1, 1, 4, -1) : bench.move(1, 1), 0);
    bench.wait_ms(10);
    bench.hardware.stall_line = true;
    bench.wait_ms(2);
    CHECK_EQUAL(bench.stalled(), two ? protocol::NO_MOTOR : 1);
  }
}

TEST(a_stall_line_of_its_own_names_the_motor) {
  for (const uint8_t motor : {1, 4}) {
    Bench bench;
    CHECK_EQUAL(bench.set(Setting::STALL_INPUT, protocol::NO_MOTOR, 2), 0);
    CHECK_EQUAL(bench.enable(1), 0);
    CHECK_EQUAL(bench.move(1, 1, 4, -1), 0);
    bench.hardware.stall_lines = 1 << 3;  // a motor at rest cannot stall
    bench.hardware.stall_line = true;     // not as wired
    bench.wait_ms(10);
    CHECK(bench.state() == State::MOVING);
    bench.hardware.stall_lines = static_cast<uint8_t>(1 << motor);
    bench.wait_ms(2);
    CHECK_EQUAL(bench.stalled(), motor);
    CHECK(bench.state() == State::ABORTED);
  }
}

TEST(a_board_with_one_stall_line_refuses_six) {
  Bench bench;
  bench.hardware.stall_line_each = false;
  CHECK_EQUAL(bench.set(Setting::STALL_INPUT, protocol::NO_MOTOR, 2), code(Reason::OUT_OF_RANGE));
  CHECK_EQUAL(bench.set(Setting::STALL_INPUT, protocol::NO_MOTOR, 1), 0);
}

TEST(an_open_emergency_stop_at_the_start_is_seen) {
  Fixture fixture;
  fixture.hardware.estop_open = true;
  Board board{};
  board.begin(protocol::BoardKind::HOST, protocol::ResetCause::POWER_ON);
  board.poll(1);
  fixture.hardware.now += Steady::SPIKE_TICKS;
  board.poll(1);
  CHECK(board.state() == State::ESTOP);
}

TEST(a_spike_on_the_stop_input_is_no_stop) {
  Bench bench;
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(0, 1), 0);
  for (int i = 0; i < 40; ++i) {  // open for less than a spike, whenever the loop looks
    bench.hardware.estop_open = true;
    bench.board.poll(bench.ms);
    bench.hardware.now += Steady::SPIKE_TICKS - 16;
    bench.board.poll(bench.ms);
    bench.hardware.estop_open = false;
    bench.wait_ms(1);
  }
  CHECK(bench.state() != State::ESTOP);
  bench.wait_ms(100);
  CHECK_EQUAL(bench.status().executed, 1);
}

TEST(nothing_that_was_taken_before_a_stop_turns_after_it) {
  Bench bench;
  CHECK_EQUAL(bench.enable(1), 0);
  bench.board.on_estop();  // a break that is over before the main loop looks
  bench.forget();
  bench.send_packet(MessageType::STEP, bench.seq,
                    step_payload(1, {turn(0, 1)}));
  bench.wait_ms(100);
  CHECK(bench.hardware.steps.empty());
  CHECK(!bench.hardware.drivers_on);
  CHECK(bench.state() == State::ESTOP);
}

TEST(a_stop_between_two_looks_keeps_the_drivers_off) {
  Bench bench;
  bench.board.on_estop();
  bench.send_packet(MessageType::ENABLE, bench.seq,
                    Bench::payload_of(protocol::EnableMessage{1}));
  bench.board.poll(++bench.ms);
  CHECK(!bench.hardware.drivers_on);
  bench.wait_ms(5);
  CHECK(!bench.hardware.drivers_on);
}

TEST(the_enable_pin_is_not_driven_before_its_polarity_is_told) {
  Bench bench;
  CHECK(!bench.hardware.drivers_driven);
  bench.board.on_estop();
  CHECK(!bench.hardware.drivers_driven);
  bench.wait_ms(2);
  CHECK_EQUAL(bench.clear(), 0);
  CHECK_EQUAL(bench.set(Setting::ENABLE_POLARITY, protocol::NO_MOTOR, 1), 0);
  CHECK(bench.hardware.drivers_driven);
  CHECK(!bench.hardware.enable_level);
  bench.wait_ms(3000);  // it is written down
  Board again{};
  bench.hardware.drivers_driven = false;
  bench.hardware.enable_level = true;
  again.begin(protocol::BoardKind::HOST, protocol::ResetCause::POWER_ON);
  CHECK(bench.hardware.drivers_driven);
  CHECK(!bench.hardware.enable_level);
}

TEST(a_spike_on_a_stall_line_is_no_stall) {
  Bench bench;
  CHECK_EQUAL(bench.set(Setting::STALL_INPUT, protocol::NO_MOTOR, 1), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(2, 1), 0);
  for (int i = 0; i < 20; ++i) {
    bench.hardware.stall_line = true;
    bench.board.poll(bench.ms);
    bench.hardware.stall_line = false;
    bench.wait_ms(1);
  }
  bench.wait_ms(100);
  CHECK_EQUAL(bench.status().executed, 1);
}

TEST(a_silent_host_stops_the_machine) {
  Bench bench;
  CHECK_EQUAL(bench.set(Setting::HOST_TIMEOUT_MS, protocol::NO_MOTOR, 100), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  for (int i = 0; i < 10; ++i) CHECK_EQUAL(bench.move(0, 1), 0);
  bench.forget();
  bench.wait_ms(400);
  CHECK(bench.event(EventKind::ABORTED));
  const protocol::StatusMessage status = bench.status();
  CHECK_EQUAL(status.state, static_cast<uint8_t>(State::ABORTED));
  CHECK_EQUAL(status.fault, static_cast<uint8_t>(Fault::HOST_SILENT));
  CHECK(status.executed >= 2 && status.executed < 6);
  CHECK_EQUAL(bench.position(0), 400 * static_cast<long>(status.executed));
  CHECK(bench.hardware.drivers_on);
  bench.wait_ms(1000);
  CHECK(bench.state() == State::ABORTED);
}

TEST(a_silent_host_cuts_no_half_turn) {
  for (uint32_t silence_ms = 100; silence_ms < 260; silence_ms += 7) {
    for (const bool pair : {false, true}) {
      Bench bench;
      CHECK_EQUAL(bench.set(Setting::HOST_TIMEOUT_MS, protocol::NO_MOTOR, silence_ms), 0);
      CHECK_EQUAL(bench.enable(1), 0);
      for (int i = 0; i < 10; ++i) {
        CHECK_EQUAL(pair ? bench.move(0, 2, 3, -2) : bench.move(0, 2), 0);
      }
      bench.wait_ms(silence_ms + 200);
      const protocol::StatusMessage status = bench.status();
      CHECK_EQUAL(status.state, static_cast<uint8_t>(State::ABORTED));
      CHECK(!bench.cut(status));
      CHECK_EQUAL(bench.position(0), 800 * static_cast<long>(status.executed));
      CHECK_EQUAL(bench.position(3), pair ? -800 * static_cast<long>(status.executed) : 0);
    }
  }
}

TEST(an_abort_with_nothing_to_stop_is_not_meant_for_later) {
  for (const bool estop : {false, true}) {
    Bench bench;
    CHECK_EQUAL(bench.set(Setting::HOST_TIMEOUT_MS, protocol::NO_MOTOR, 110), 0);
    bench.hardware.estop_open = estop;
    bench.wait_ms(3);
    bench.abort();
    bench.wait_ms(3);
    bench.hardware.estop_open = false;
    bench.wait_ms(3);
    CHECK_EQUAL(bench.clear(), 0);
    CHECK_EQUAL(bench.enable(1), 0);
    for (int i = 0; i < 5; ++i) CHECK_EQUAL(bench.move(0, 2), 0);
    bench.wait_ms(400);
    const protocol::StatusMessage status = bench.status();
    CHECK_EQUAL(status.fault, static_cast<uint8_t>(Fault::HOST_SILENT));
    CHECK(!bench.cut(status));
    CHECK_EQUAL(bench.position(0), 800 * static_cast<long>(status.executed));
  }
}

TEST(an_abort_hurries_a_stop_for_want_of_a_host) {
  Bench bench;
  CHECK_EQUAL(bench.set(Setting::HOST_TIMEOUT_MS, protocol::NO_MOTOR, 100), 0);
  CHECK_EQUAL(bench.set(Setting::RATE_STEPS_S, 0, 2000), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(0, 2), 0);
  bench.wait_ms(110);
  CHECK(bench.state() == State::STOPPING);
  bench.abort();
  bench.wait_ms(500);
  const protocol::StatusMessage status = bench.status();
  CHECK_EQUAL(status.fault, static_cast<uint8_t>(Fault::HOST_ABORT));
  CHECK(bench.cut(status));
  CHECK_EQUAL(bench.position(0), 400);
}

TEST(a_speaking_host_is_not_silent) {
  Bench bench;
  CHECK_EQUAL(bench.set(Setting::HOST_TIMEOUT_MS, protocol::NO_MOTOR, 100), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  for (int i = 0; i < 10; ++i) CHECK_EQUAL(bench.move(0, 1), 0);
  for (int i = 0; i < 10; ++i) {
    bench.wait_ms(60);
    bench.status();
  }
  CHECK_EQUAL(bench.status().executed, 10);
}

TEST(idle_motors_are_released) {
  Bench bench;
  CHECK_EQUAL(bench.set(Setting::IDLE_TIMEOUT_MS, protocol::NO_MOTOR, 500), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  bench.wait_ms(490);
  CHECK(bench.hardware.drivers_on);
  bench.forget();
  bench.wait_ms(20);
  CHECK(!bench.hardware.drivers_on);
  CHECK(bench.event(EventKind::RELEASED));
  CHECK(bench.state() == State::DISABLED);
  CHECK(bench.status().flags & static_cast<uint8_t>(Flag::ALIGNMENT_UNKNOWN));
}

TEST(idle_motors_are_released_after_a_stop_too) {
  Bench bench;
  CHECK_EQUAL(bench.set(Setting::IDLE_TIMEOUT_MS, protocol::NO_MOTOR, 500), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  bench.abort();
  bench.wait_ms(3);
  CHECK(bench.state() == State::ABORTED);
  bench.wait_ms(500);
  CHECK(!bench.hardware.drivers_on);
  CHECK(bench.state() == State::DISABLED);
  CHECK_EQUAL(bench.status().fault, static_cast<uint8_t>(Fault::HOST_ABORT));
}

TEST(a_board_that_is_stopping_is_not_enabled) {
  Bench bench;
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(0, 1), 0);
  bench.wait_ms(10);
  CHECK_EQUAL(bench.enable(1), 0);
  bench.abort();
  bench.wait_ms(1);
  CHECK(bench.state() == State::STOPPING);
  CHECK_EQUAL(bench.enable(1), code(Reason::BUSY));
  CHECK_EQUAL(bench.enable(2), code(Reason::OUT_OF_RANGE));
}

TEST(the_button_is_debounced) {
  Bench bench;
  for (int i = 0; i < 10; ++i) {
    bench.hardware.button_down = i % 2 == 0;
    bench.wait_ms(3);
  }
  CHECK(!bench.event(EventKind::BUTTON));
  bench.hardware.button_down = true;
  bench.wait_ms(25);
  CHECK(bench.event(EventKind::BUTTON));
  CHECK(bench.status().flags & static_cast<uint8_t>(Flag::BUTTON_DOWN));
  bench.forget();
  bench.wait_ms(500);
  CHECK(!bench.event(EventKind::BUTTON));
  bench.hardware.button_down = false;
  bench.wait_ms(25);
  bench.hardware.button_down = true;
  bench.wait_ms(25);
  CHECK(bench.event(EventKind::BUTTON));
}

TEST(answers_wait_for_room) {
  Bench bench;
  bench.hardware.transmit_space = 10;
  bench.send_packet(MessageType::HELLO, 0, Bench::payload_of(protocol::HelloMessage{1, 1}));
  bench.send_packet(MessageType::STATUS_REQUEST, 0, {});
  bench.wait_ms(5);
  CHECK(bench.heard.empty());
  bench.hardware.transmit_space = 127;
  bench.wait_ms(5);
  protocol::HelloReplyMessage reply;
  protocol::StatusMessage status;
  CHECK(bench.find(reply));
  CHECK(bench.find(status));
}

// Every message of a host, damaged in every way by one bit or one cut: the board reacts as if
// nothing had come, and accepts the message when it is resent intact.
TEST(damaged_messages_change_nothing_and_are_corrected_by_resending) {
  const std::pair<MessageType, Bytes> messages[] = {
      {MessageType::HELLO, {1, 0xEF, 0xBE}},
      {MessageType::STATUS_REQUEST, {}},
      {MessageType::ABORT, {}},
      {MessageType::STEP, step_payload(1, {turn(0, 1), turn(3, -1)})},
      {MessageType::SET, {16, 0xFF, 0x88, 0x13, 0, 0}},
      {MessageType::ENABLE, {0}},
      {MessageType::CLEAR, {}},
  };
  for (const auto& message : messages) {
    Bench bench;
    CHECK_EQUAL(bench.enable(1), 0);
    uint8_t frame[MAX_FRAME];
    const bool sequenced = protocol::is_sequenced(static_cast<uint8_t>(message.first));
    const uint8_t seq = sequenced ? bench.seq : uint8_t{0};
    const uint8_t size = encode_frame(static_cast<uint8_t>(message.first), seq, message.second.data(),
                                      static_cast<uint8_t>(message.second.size()), frame);
    const Bytes whole(frame, frame + size);
    std::vector<Bytes> damaged;
    for (size_t bit = 8; bit < 8 * (whole.size() - 1); ++bit) {
      damaged.push_back(whole);
      damaged.back()[bit / 8] = static_cast<uint8_t>(whole[bit / 8] ^ 1 << bit % 8);
    }
    for (size_t cut = 1; cut + 1 < whole.size(); ++cut) {
      damaged.push_back(Bytes(whole.begin(), whole.begin() + static_cast<long>(cut)));
      damaged.back().push_back(0);
    }
    for (const Bytes& bytes : damaged) {
      bench.forget();
      bench.send_bytes(bytes);
      bench.wait_ms(1);
      CHECK(bench.heard.empty());
      CHECK(bench.board.state() == State::IDLE);
    }
    bench.forget();
    bench.send_bytes(whole);
    bench.wait_ms(1);
    CHECK(!bench.heard.empty() || message.first == MessageType::ABORT);
    CHECK(bench.hardware.steps.empty() || message.first == MessageType::STEP);
  }
}

}  // namespace
}  // namespace thistlebot
