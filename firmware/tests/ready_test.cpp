// Between ENABLE and the first step: drivers are set up, the current settles, and stops come all the same.
#include "board_bench.h"
#include "drivers/chip.h"

namespace thistlebot {
namespace {

constexpr uint64_t MS = 16000;
constexpr uint8_t LINE = 1, ADDRESS = 2, CHANNEL = 4;

struct Ready : Bench {
  Ready() { CHECK_EQUAL(set(Setting::HOST_TIMEOUT_MS, protocol::NO_MOTOR, 0), 0); }

  VirtualHardware::Driver& driver() { return hardware.drivers[LINE][ADDRESS]; }

  void with_driver(bool powered = true) {
    driver().present = powered;
    CHECK_EQUAL(set(Setting::DRIVER_ADDRESS, CHANNEL, 1 + ADDRESS + 4 * LINE), 0);
  }

  void settle(uint32_t ms) { CHECK_EQUAL(set(Setting::ENABLE_SETTLE_MS, protocol::NO_MOTOR, ms), 0); }

  // Schedules an event for the exchange with this number, counted from now on.
  void at_exchange(long number, const std::function<void()>& what) {
    const long at = hardware.exchanges + number;
    hardware.during_exchange = [this, at, what] {
      if (hardware.exchanges == at) what();
    };
  }

  void press() {
    hardware.estop_open = true;
    board.on_estop();
  }

  void wait_for(State state, uint32_t most_ms) {
    for (uint32_t i = 0; i < most_ms && board.state() != state; ++i) wait_ms(1);
    CHECK(board.state() == state);
  }

  // The motors are switched on again, the driver is set up completely, and a step is made.
  void works_again() {
    hardware.during_exchange = nullptr;
    driver().registers.clear();
    CHECK_EQUAL(enable(1), 0);
    accepted = status().accepted;
    const size_t before = hardware.steps.size();
    CHECK_EQUAL(move(CHANNEL, 1), 0);
    wait_ms(200);
    CHECK_EQUAL(driver().registers.size(), driver_chip::REGISTERS);
    CHECK_EQUAL(hardware.steps.size() - before, 400);
    CHECK(board.state() == State::IDLE);
  }
};

TEST(no_step_begins_before_the_current_has_settled) {
  const std::vector<std::vector<Action>> steps = {
      {turn(0, 1)},
      {act(ActionKind::MOVE_BY, 1, 20)},
      {act(ActionKind::POSITION, 0, 1500)},
      {act(ActionKind::WAIT, 0, 5), act(ActionKind::OUTPUT, 1, 1)},
  };
  for (const auto& step : steps) {
    for (const uint32_t settle_ms : {1u, 30u, 250u}) {
      Ready bench;
      bench.settle(settle_ms);
      const uint64_t on = bench.hardware.now;
      CHECK_EQUAL(bench.enable(1), 0);
      CHECK_EQUAL(bench.step(step), 0);
      bench.wait_ms(settle_ms + 100);
      const VirtualHardware& did = bench.hardware;
      CHECK_EQUAL(did.steps.empty() + did.pulses.empty() + did.switched.empty(), 2);
      const uint64_t first = !did.steps.empty()    ? did.steps[0].ticks
                             : !did.pulses.empty() ? did.pulses[0].ticks
                                                   : did.switched[0].ticks;
      CHECK(first >= on + settle_ms * MS);
      CHECK(first <= on + (settle_ms + 5) * MS);
      CHECK(bench.board.state() == State::IDLE);
    }
  }
}

TEST(the_current_settles_once) {
  Ready bench;
  bench.settle(200);
  CHECK_EQUAL(bench.enable(1), 0);
  bench.wait_ms(100);
  CHECK_EQUAL(bench.enable(1), 0);  // it is on already
  CHECK_EQUAL(bench.move(0, 1), 0);
  bench.wait_ms(90);
  CHECK(bench.hardware.steps.empty());
  bench.wait_ms(15);
  CHECK(!bench.hardware.steps.empty());
  bench.wait_ms(100);
  CHECK_EQUAL(bench.enable(1), 0);
  const size_t before = bench.hardware.steps.size();
  CHECK_EQUAL(bench.move(0, 1), 0);
  bench.wait_ms(2);
  CHECK(bench.hardware.steps.size() > before);
}

TEST(a_stop_while_the_current_settles_drops_the_steps) {
  for (const bool estop : {false, true}) {
    Ready bench;
    bench.settle(100);
    bench.with_driver();
    CHECK_EQUAL(bench.enable(1), 0);
    CHECK_EQUAL(bench.move(0, 1), 0);
    bench.wait_ms(40);
    if (estop) {
      bench.press();
    } else {
      bench.abort();
    }
    bench.wait_ms(300);
    CHECK(bench.hardware.steps.empty());
    CHECK(bench.board.state() == (estop ? State::ESTOP : State::ABORTED));
    CHECK_EQUAL(bench.status().accepted, 0);
    CHECK_EQUAL(bench.hardware.drivers_on, !estop);
    bench.hardware.estop_open = false;
    CHECK_EQUAL(bench.clear(), 0);
    if (!estop) CHECK_EQUAL(bench.enable(0), 0);
    CHECK_EQUAL(bench.set(Setting::DRIVER_CURRENT_MA, CHANNEL, 700), 0);
    bench.works_again();
  }
}

TEST(an_emergency_stop_in_any_exchange_with_a_driver_ends_the_setup) {
  for (const bool powered : {true, false}) {
    // A driver that answers is read, written and read again; one that does not is read five times.
    const long all = powered ? driver_chip::REGISTERS + 2 : 5;
    for (long number = 1; number <= all; ++number) {
      for (const bool with_step : {false, true}) {
        Ready bench;
        bench.with_driver(powered);
        bench.at_exchange(number, [&bench] { bench.press(); });
        CHECK_EQUAL(bench.enable(1), 0);
        if (with_step && bench.board.state() != State::ESTOP) {
          bench.send_packet(MessageType::STEP, bench.seq, step_payload(1, {turn(CHANNEL, 1)}));
        }
        bench.wait_for(State::ESTOP, 20);
        CHECK(!bench.hardware.drivers_on);
        const long exchanges = bench.hardware.exchanges;
        bench.wait_ms(300);
        CHECK_EQUAL(bench.hardware.exchanges, exchanges);  // drivers without current are not addressed
        CHECK(bench.hardware.steps.empty());
        const protocol::StatusMessage told = bench.status();
        CHECK_EQUAL(told.state, static_cast<uint8_t>(State::ESTOP));
        CHECK_EQUAL(told.fault, static_cast<uint8_t>(Fault::ESTOP));
        CHECK_EQUAL(told.accepted, 0);
        bench.hardware.estop_open = false;
        bench.seq = told.next_seq;
        CHECK_EQUAL(bench.clear(), 0);
        bench.driver().present = true;
        bench.driver().taken = 0;  // its supply was off, too
        bench.works_again();
      }
    }
  }
}

TEST(an_abort_in_any_exchange_with_a_driver_leaves_it_set_up) {
  for (long number = 1; number <= driver_chip::REGISTERS + 2; ++number) {
    for (const bool with_step : {false, true}) {
      Ready bench;
      bench.with_driver();
      bench.at_exchange(number, [&bench] { bench.abort(); });
      bench.send_packet(MessageType::ENABLE, bench.seq++, {1});
      if (with_step) bench.send_packet(MessageType::STEP, bench.seq++, step_payload(1, {turn(CHANNEL, 1)}));
      bench.wait_for(State::ABORTED, 20);
      bench.wait_ms(100);
      const protocol::StatusMessage told = bench.status();
      CHECK_EQUAL(told.state, static_cast<uint8_t>(State::ABORTED));
      CHECK_EQUAL(told.fault, static_cast<uint8_t>(Fault::HOST_ABORT));
      CHECK_EQUAL(told.accepted, 0);
      CHECK_EQUAL(bench.driver().registers.size(), driver_chip::REGISTERS);
      CHECK(bench.hardware.steps.empty());
      CHECK(bench.hardware.drivers_on);
      CHECK_EQUAL(bench.clear(), 0);
      const long exchanges = bench.hardware.exchanges;
      CHECK_EQUAL(bench.move(CHANNEL, 1), 0);
      bench.wait_ms(100);
      CHECK_EQUAL(bench.hardware.steps.size(), 400);
      CHECK_EQUAL(bench.hardware.exchanges, exchanges);  // it was ready
    }
  }
}

TEST(a_driver_that_is_missing_is_told_after_an_abort_too) {
  Ready bench;
  bench.with_driver(false);
  bench.at_exchange(1, [&bench] { bench.abort(); });
  CHECK_EQUAL(bench.enable(1), 0);
  bench.wait_ms(50);
  const protocol::StatusMessage told = bench.status();
  CHECK_EQUAL(told.state, static_cast<uint8_t>(State::ABORTED));
  CHECK_EQUAL(told.fault, static_cast<uint8_t>(Fault::BOARD_ERROR));
  CHECK_EQUAL(told.no_answer, 1 << CHANNEL);
  CHECK(!bench.hardware.drivers_on);
  CHECK_EQUAL(bench.clear(), 0);
  CHECK(bench.board.state() == State::DISABLED);
  bench.driver().present = true;
  bench.works_again();
}

TEST(every_driver_that_is_missing_is_told) {
  Ready bench;
  bench.with_driver();
  for (const uint8_t channel : {0, 5}) CHECK_EQUAL(bench.set(Setting::DRIVER_ADDRESS, channel, 1), 0);
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.move(CHANNEL, 1), 0);
  bench.wait_for(State::ABORTED, 100);
  CHECK_EQUAL(bench.status().no_answer, 1 << 0 | 1 << 5);
  CHECK(bench.hardware.steps.empty());
  CHECK_EQUAL(bench.clear(), 0);
  CHECK_EQUAL(bench.status().no_answer, 0);
}

TEST(switching_off_ends_the_setup) {
  Ready bench;
  bench.with_driver();
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.enable(0), 0);
  const long exchanges = bench.hardware.exchanges;
  CHECK(exchanges < driver_chip::REGISTERS + 2);
  bench.wait_ms(100);
  CHECK_EQUAL(bench.hardware.exchanges, exchanges);
  bench.works_again();
}

}  // namespace
}  // namespace thistlebot
