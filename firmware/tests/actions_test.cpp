// Steps of all kinds: the effects of their actions, their start, and their rest after a stop.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "board_bench.h"

namespace thistlebot {
namespace {

using protocol::OutputMode;

constexpr uint64_t MS = 16000;

struct Machine : Bench {
  Machine() {
    CHECK_EQUAL(set(Setting::GAP_US, protocol::NO_MOTOR, 100), 0);
    CHECK_EQUAL(set(Setting::HOST_TIMEOUT_MS, protocol::NO_MOTOR, 0), 0);
    CHECK_EQUAL(set(Setting::IDLE_TIMEOUT_MS, protocol::NO_MOTOR, 0), 0);
    CHECK_EQUAL(enable(1), 0);
  }

  void run(const std::vector<Action>& actions) {
    CHECK_EQUAL(step(actions), 0);
    run_to_rest();
  }

  void run_to_rest() {
    for (int i = 0; i < 60000 && board.state() == State::MOVING; ++i) wait_ms(1);
    CHECK(board.state() == State::IDLE);
  }

  // Waits until a stop is complete.
  protocol::StatusMessage stopped() {
    for (int i = 0; i < 20000 && board.state() != State::ABORTED; ++i) wait_ms(1);
    const protocol::StatusMessage told = status();
    CHECK_EQUAL(told.state, static_cast<uint8_t>(State::ABORTED));
    CHECK_EQUAL(told.accepted, told.executed);
    return told;
  }

};

Action servo(uint8_t channel, int16_t us, uint8_t speed = 0, uint8_t dwell = 0) {
  return act(ActionKind::POSITION, channel, us, speed, dwell);
}
Action move_by(uint8_t motor, int16_t steps) { return act(ActionKind::MOVE_BY, motor, steps); }
Action move_to(uint8_t motor, int16_t steps) { return act(ActionKind::MOVE_TO, motor, steps); }
Action home(uint8_t motor, int16_t travel, uint8_t place) {
  return act(ActionKind::HOME, motor, travel, 0, place);
}
Action pause(int16_t ms) { return act(ActionKind::WAIT, 0, ms); }
Action output(uint8_t channel, OutputMode mode, uint8_t half = 0) {
  return act(ActionKind::OUTPUT, channel, static_cast<int16_t>(mode), 0, half);
}

TEST(the_board_says_what_it_has) {
  Bench bench;
  bench.send_packet(MessageType::HELLO, 0, Bench::payload_of(protocol::HelloMessage{3, 1}));
  bench.wait_ms(2);
  protocol::HelloReplyMessage reply;
  CHECK(bench.find(reply));
  CHECK_EQUAL(reply.lanes, LANES);
  CHECK_EQUAL(reply.servos, 6);
  CHECK_EQUAL(reply.outputs, 4);
  CHECK_EQUAL(reply.switches, 4);
}

TEST(a_servo_has_no_pulses_before_its_first_position) {
  Machine machine;
  machine.wait_ms(200);
  CHECK(machine.hardware.pulses.empty());
  CHECK_EQUAL(machine.status().servos_on, 0);
  machine.run({servo(2, 1400, 10)});
  CHECK_EQUAL(machine.hardware.pulses.size(), 1);  // at once: its position is unknown
  CHECK_EQUAL(machine.hardware.pulse_us[2], 1400);
  CHECK_EQUAL(machine.status().servos_on, 4);
}

TEST(a_servo_goes_no_faster_than_it_is_told) {
  for (const uint8_t speed : {1, 7, 40, 255}) {
    for (const int16_t to : {500, 1499, 1501, 1600, 2500}) {
      Machine machine;
      machine.run({servo(0, 1500)});
      machine.hardware.pulses.clear();
      machine.run({servo(0, to, speed)});
      const std::vector<Pulse>& pulses = machine.hardware.pulses;
      int at = 1500;
      int before = 0;
      for (const Pulse& pulse : pulses) {
        const int pace = std::abs(pulse.us - at);
        CHECK(pace >= 1 && pace <= speed);
        CHECK(pace <= before + speed / 4 + 1);  // it speeds up in four frames
        CHECK((pulse.us > at) == (to > 1500));
        at = pulse.us;
        before = pace;
      }
      CHECK_EQUAL(at, to);
      CHECK(before <= speed / 4 + 1);  // and is slow at the end
      for (size_t i = 1; i < pulses.size(); ++i) {
        const uint64_t apart = pulses[i].ticks - pulses[i - 1].ticks;
        CHECK(apart >= 19 * MS && apart <= 21 * MS);
      }
    }
  }
}

TEST(a_dwell_keeps_the_next_step_back) {
  Machine machine;
  machine.run({servo(0, 1500)});
  CHECK_EQUAL(machine.step({servo(0, 1600, 0, 30)}), 0);  // 300 ms
  CHECK_EQUAL(machine.move(0, 1), 0);
  machine.run_to_rest();
  const uint64_t apart = machine.hardware.steps.front().ticks - machine.hardware.pulses.back().ticks;
  CHECK(apart >= 299 * MS && apart <= 303 * MS);
}

TEST(a_stop_holds_a_servo_where_it_is) {
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    Machine machine;
    machine.run({servo(1, 1000)});
    CHECK_EQUAL(machine.step({servo(1, 2000, 20)}), 0);
    CHECK_EQUAL(machine.step({servo(1, 1000, 20)}), 0);
    machine.wait_ms(1 + random() % 1000);
    const bool estop = i % 3 == 0;
    if (estop) {
      machine.hardware.estop_open = true;
      machine.board.on_estop();
    } else {
      machine.abort();
    }
    machine.wait_ms(2);
    const uint16_t held = machine.hardware.pulse_us[1];
    const protocol::StatusMessage told = estop ? machine.status() : machine.stopped();
    machine.wait_ms(2000);
    CHECK_EQUAL(machine.hardware.pulse_us[1], held);
    CHECK(held >= 1000);
    CHECK_EQUAL(machine.status().servos_on, 2);
    CHECK_EQUAL(machine.hardware.drivers_on, !estop);
    CHECK_EQUAL(machine.cut(told), !estop);
    if (estop) continue;
    CHECK_EQUAL(machine.clear(), 0);
    machine.accepted = told.accepted;
    machine.run({servo(1, 1500, 20)});
    CHECK_EQUAL(machine.hardware.pulse_us[1], 1500);
  }
}

TEST(servos_release_on_command) {
  Machine machine;
  machine.run({servo(0, 1500), servo(3, 1200)});
  machine.run({servo(0, 0)});
  CHECK_EQUAL(machine.hardware.pulse_us[0], 0);
  CHECK_EQUAL(machine.status().servos_on, 8);
  CHECK_EQUAL(machine.set(Setting::IDLE_TIMEOUT_MS, protocol::NO_MOTOR, 100), 0);
  machine.wait_ms(200);
  CHECK(!machine.hardware.drivers_on);
  CHECK_EQUAL(machine.hardware.pulse_us[3], 1200);  // a held part would fall
  CHECK_EQUAL(machine.enable(0), 0);
  CHECK_EQUAL(machine.hardware.pulse_us[3], 0);
  CHECK_EQUAL(machine.status().servos_on, 0);
}

TEST(servos_are_released_in_an_emergency_stop_by_enable_off_only) {
  Machine machine;
  machine.run({servo(3, 1200)});
  machine.hardware.estop_open = true;
  machine.board.on_estop();
  machine.wait_ms(20);
  CHECK_EQUAL(machine.hardware.pulse_us[3], 1200);
  CHECK_EQUAL(machine.enable(0), 0);
  CHECK_EQUAL(machine.hardware.pulse_us[3], 0);
  CHECK(machine.board.state() == State::ESTOP);
}

TEST(a_position_beyond_what_can_be_counted_is_unknown) {
  Machine machine;
  machine.run({move_by(5, 32767)});
  machine.run({move_to(5, 32760)});
  machine.run({move_by(5, 30)});
  CHECK_EQUAL(machine.step({move_to(5, 0)}), 0);
  CHECK_EQUAL(machine.stopped().fault, static_cast<uint8_t>(Fault::NOT_FOUND));
  CHECK_EQUAL(machine.position(5), 32790);
}

TEST(moves_go_by_and_to) {
  Machine machine;
  machine.run({move_by(5, 1234)});
  machine.run({move_by(5, -34), move_by(4, 1)});
  CHECK_EQUAL(machine.position(5), 1200);
  CHECK_EQUAL(machine.position(4), 1);
  machine.run({move_to(5, -30000), move_to(4, 3)});
  CHECK_EQUAL(machine.position(5), -30000);
  CHECK_EQUAL(machine.position(4), 3);
  machine.run({move_to(5, 30000)});  // further than a position reaches
  CHECK_EQUAL(machine.position(5), 30000);
  machine.run({move_to(5, 30000)});
  CHECK_EQUAL(machine.position(5), 30000);
  CHECK_EQUAL(machine.status().executed, 5);
}

TEST(a_move_takes_its_time) {
  Machine machine;
  for (const uint16_t rate : {20000, 10000, 1015}) {
    CHECK_EQUAL(machine.set(Setting::RATE_STEPS_S, 5, rate), 0);
    machine.hardware.steps.clear();
    machine.run({move_by(5, 8000)});
    const std::vector<Step>& steps = machine.hardware.steps;
    const double s = static_cast<double>(steps.back().ticks - steps.front().ticks) / 16e6;
    const double ideal = 8000.0 / rate + rate / 1023018.0;
    CHECK(s > 0.995 * ideal && s < 1.005 * ideal);
  }
}

TEST(a_move_that_was_stopped_says_how_far_it_came) {
  std::mt19937 random(4);
  int cuts = 0;
  for (int i = 0; i < 200; ++i) {
    Machine machine;
    const int16_t wanted = static_cast<int16_t>(i % 2 ? 3000 : -3000);
    const bool slow = i % 3 == 0;
    if (slow) CHECK_EQUAL(machine.set(Setting::RATE_STEPS_S, 2, 4000), 0);
    CHECK_EQUAL(machine.set(Setting::DIRECTION, 2, i % 2), 0);
    CHECK_EQUAL(machine.step({move_by(2, wanted), turn(5, 2)}), 0);
    machine.wait_ms(random() % (slow ? 800 : 260));
    machine.abort();
    const protocol::StatusMessage told = machine.stopped();
    CHECK(machine.hardware.drivers_on);
    const long sign = i % 2 ? -1 : 1;
    if (!machine.cut(told)) {
      CHECK_EQUAL(sign * machine.position(2), told.executed == 1 ? wanted : 0);
      continue;
    }
    ++cuts;
    CHECK_EQUAL(told.executed, 0);
    CHECK(std::abs(machine.position(2)) < 3000);
    CHECK(is_part(machine.position(5), 2));
    // It slows down as it sped up: no interval is shorter than on the way there.
    std::vector<uint64_t> ticks;
    for (const Step& step : machine.hardware.steps) {
      if (step.motor == 2) ticks.push_back(step.ticks);
    }
    const size_t count = ticks.size();
    for (size_t k = 1; k < count / 2; ++k) {
      const uint64_t up = ticks[k] - ticks[k - 1];
      const uint64_t down = ticks[count - k] - ticks[count - k - 1];
      CHECK(down + 2 >= up);
    }
    // The board still knows where it is.
    machine.accepted = told.accepted;
    CHECK_EQUAL(machine.clear(), 0);
    machine.run({move_to(2, wanted)});
    CHECK_EQUAL(sign * machine.position(2), wanted);
  }
  CHECK(cuts > 100);
}

TEST(homing_ends_at_its_switch_and_counts_from_there) {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    Machine machine;
    const uint8_t place = static_cast<uint8_t>(random() % 4);
    CHECK_EQUAL(machine.set(Setting::RATE_STEPS_S, 3, 5400), 0);
    CHECK_EQUAL(machine.step({home(3, static_cast<int16_t>(i % 2 ? -6000 : 6000), place)}), 0);
    machine.wait_ms(random() % 600);
    machine.hardware.switches[place] = true;
    const long seen = machine.position(3);
    machine.run_to_rest();
    CHECK(std::labs(machine.position(3) - seen) < 300);  // it slows down beyond it
    CHECK(std::labs(machine.position(3)) < 6000);
    machine.run({move_to(3, 0)});
    CHECK(std::labs(machine.position(3) - seen) <= 20);  // a millisecond's steps
    machine.hardware.switches[place] = false;
    machine.run({move_to(3, 55)});
    CHECK_EQUAL(std::labs(machine.position(3) - seen - 55) <= 20, 1);
  }
}

TEST(homing_has_a_limit) {
  for (const bool stall : {false, true}) {
    Machine machine;
    CHECK_EQUAL(machine.set(Setting::STALL_INPUT, protocol::NO_MOTOR, 1), 0);
    machine.run({servo(0, 1500)});
    CHECK_EQUAL(machine.step({home(3, -2000, stall ? protocol::STALL : 1)}), 0);
    CHECK_EQUAL(machine.move(0, 1), 0);
    const protocol::StatusMessage told = machine.stopped();
    CHECK_EQUAL(told.fault, static_cast<uint8_t>(Fault::NOT_FOUND));
    CHECK_EQUAL(told.executed, 1);
    CHECK_EQUAL(machine.position(3), -2000);
    CHECK_EQUAL(machine.position(0), 0);
    CHECK_EQUAL(machine.hardware.pulse_us[0], 1500);
  }
}

TEST(a_stall_is_what_homing_looks_for) {
  Machine machine;
  CHECK_EQUAL(machine.set(Setting::STALL_INPUT, protocol::NO_MOTOR, 1), 0);
  CHECK_EQUAL(machine.step({home(3, 4000, protocol::STALL)}), 0);
  machine.wait_ms(50);
  machine.hardware.stall_line = true;
  machine.wait_ms(4);
  const long seen = machine.position(3);
  CHECK(seen > 100);
  machine.hardware.stall_line = false;
  machine.run_to_rest();
  CHECK_EQUAL(machine.position(3), seen);  // at once
  machine.run({move_to(3, -100)});
  CHECK_EQUAL(machine.position(3), seen - 100);
  CHECK_EQUAL(machine.step({turn(3, 1)}), 0);  // elsewhere it is a fault
  machine.wait_ms(10);
  machine.hardware.stall_line = true;
  CHECK_EQUAL(machine.stopped().fault, static_cast<uint8_t>(Fault::STALL));
}

TEST(homing_by_stall_needs_the_line) {
  Machine machine;
  CHECK_EQUAL(machine.step({home(3, 4000, protocol::STALL)}), code(Reason::OUT_OF_RANGE));
}

TEST(nobody_counts_the_steps_of_a_motor_that_turned) {
  Machine machine;
  machine.run({turn(3, 1)});
  CHECK_EQUAL(machine.step({move_to(3, 10)}), 0);
  CHECK_EQUAL(machine.stopped().fault, static_cast<uint8_t>(Fault::NOT_FOUND));
  CHECK_EQUAL(machine.position(3), 400);
  machine.accepted = machine.status().accepted;
  CHECK_EQUAL(machine.clear(), 0);
  machine.hardware.switches[0] = true;
  machine.run({home(3, 100, 0)});
  const long place = machine.position(3);
  CHECK(place >= 400 && place <= 403);  // closed already
  machine.run({move_to(3, 10)});
  CHECK(std::labs(machine.position(3) - place - 10) <= 3);  // from the position where it closed
}

TEST(a_wait_takes_its_time_and_a_stop_drops_it) {
  Machine machine;
  const uint64_t begun = machine.hardware.now;
  machine.run({pause(700)});
  const uint64_t passed = machine.hardware.now - begun;
  CHECK(passed >= 699 * MS && passed <= 705 * MS);
  CHECK_EQUAL(machine.step({pause(10000)}), 0);
  machine.wait_ms(298);
  machine.abort();
  machine.wait_ms(3);
  const protocol::StatusMessage told = machine.stopped();
  CHECK(machine.cut(told));
}

TEST(a_silent_host_does_not_cut_an_action) {
  Machine machine;
  CHECK_EQUAL(machine.set(Setting::HOST_TIMEOUT_MS, protocol::NO_MOTOR, 100), 0);
  machine.run({servo(0, 1000)});
  CHECK_EQUAL(machine.step({servo(0, 2000, 20), move_by(3, 5000), pause(600)}), 0);
  CHECK_EQUAL(machine.move(0, 1), 0);
  machine.forget();
  machine.wait_ms(1500);
  const protocol::StatusMessage told = machine.stopped();
  CHECK_EQUAL(told.fault, static_cast<uint8_t>(Fault::HOST_SILENT));
  CHECK(!machine.cut(told));
  CHECK_EQUAL(told.executed, 2);
  CHECK_EQUAL(machine.position(3), 5000);
  CHECK_EQUAL(machine.position(0), 0);
  CHECK_EQUAL(machine.hardware.pulse_us[0], 2000);
}

TEST(outputs_are_switched_with_and_without_current) {
  Bench bench;
  CHECK_EQUAL(bench.step({output(1, OutputMode::ON), output(2, OutputMode::ON)}), 0);
  CHECK(bench.board.state() == State::DISABLED);
  CHECK_EQUAL(bench.status().executed, 1);
  CHECK(bench.hardware.outputs[1]);
  CHECK(bench.hardware.outputs[2]);
  CHECK_EQUAL(bench.step({output(0, OutputMode::ON), pause(1)}), code(Reason::NOT_ENABLED));
  CHECK(!bench.hardware.outputs[0]);
  CHECK_EQUAL(bench.enable(1), 0);
  CHECK_EQUAL(bench.step({output(1, OutputMode::OFF), turn(0, 1)}), 0);
  CHECK_EQUAL(bench.step({output(0, OutputMode::ON)}), 0);
  CHECK(!bench.hardware.outputs[1]);
  CHECK(!bench.hardware.outputs[0]);  // the turn has not ended
  bench.wait_ms(5);
  bench.abort();
  bench.wait_ms(100);
  CHECK(!bench.hardware.outputs[0]);
  CHECK(!bench.hardware.outputs[1]);
}

TEST(actions_that_are_refused) {
  Machine machine;
  const uint8_t refused = code(Reason::OUT_OF_RANGE);
  for (const Action& action :
       {servo(6, 1500), servo(0, 499), servo(0, 2501), servo(0, -1500), move_by(6, 1),
        move_by(0, INT16_MIN), move_to(0, INT16_MIN), act(ActionKind::MOVE_BY, 0, 5, 0, 1),
        home(0, 0, 0), home(0, 10, 4), home(6, 10, 0), pause(0), pause(-5), pause(10001),
        act(ActionKind::WAIT, 1, 5), act(ActionKind::WAIT, 0, 5, 1), act(ActionKind::WAIT, 0, 5, 0, 1),
        output(4, OutputMode::ON), output(0, static_cast<OutputMode>(2)),
        output(0, OutputMode::ON, 5), act(ActionKind::OUTPUT, 0, 1, 1)}) {
    CHECK_EQUAL(machine.step({action}), refused);
  }
  CHECK_EQUAL(machine.step({servo(0, 1500), servo(0, 1600)}), refused);
  CHECK_EQUAL(machine.step({turn(0, 1), move_by(0, 5)}), refused);
  CHECK_EQUAL(machine.step({pause(5), pause(6)}), refused);
  CHECK_EQUAL(machine.step({turn(0, 1), move_by(1, 5), home(2, 5, 0)}), refused);
  CHECK_EQUAL(machine.step({servo(0, 1500), servo(1, 1500), servo(2, 1500), servo(3, 1500)}), 0);
}

TEST(longer_steps_take_more_places) {
  Machine machine;
  CHECK_EQUAL(machine.step({pause(10000)}), 0);
  CHECK_EQUAL(machine.status().credits, protocol::QUEUE_PLACES);  // it is running
  uint8_t expected = protocol::QUEUE_PLACES;
  const std::vector<Action> actions = {servo(0, 1500), servo(1, 1500), pause(1), turn(2, 1)};
  for (size_t count = 1; count <= 4; ++count) {
    CHECK_EQUAL(machine.step(std::vector<Action>(actions.begin(), actions.begin() + count)), 0);
    expected = static_cast<uint8_t>(expected - 2 - count);
    CHECK_EQUAL(machine.status().credits, expected);
  }
  CHECK_EQUAL(machine.step({turn(0, 1), turn(3, 1)}), 0);
  CHECK_EQUAL(machine.step({turn(0, 1)}, Begin::ANGLE, 700), 0);
  CHECK_EQUAL(machine.status().credits, expected - 2);
  expected = static_cast<uint8_t>(expected - 2);
  while (expected >= 6) {
    CHECK_EQUAL(machine.step(actions), 0);
    expected = static_cast<uint8_t>(expected - 6);
  }
  CHECK_EQUAL(machine.step(actions), code(Reason::NO_CREDIT));
}

// Only turns begin before the end of others; each other step waits for the one before it.
TEST(steps_of_actions_follow_one_another) {
  Machine machine;
  machine.run({servo(0, 1000)});
  CHECK_EQUAL(machine.step({servo(1, 1100)}, Begin::ANGLE, 50), code(Reason::OUT_OF_RANGE));
  CHECK_EQUAL(machine.step({turn(0, 1)}), 0);
  CHECK_EQUAL(machine.step({servo(0, 1100)}), 0);
  CHECK_EQUAL(machine.step({turn(1, 1)}), 0);
  machine.run_to_rest();
  const uint64_t moved = machine.hardware.pulses.back().ticks;
  long before = 0;
  for (const Step& step : machine.hardware.steps) before += step.ticks <= moved;
  CHECK_EQUAL(before, 400);
  CHECK_EQUAL(machine.status().executed, 4);
}

// Programs of all kinds, stopped at any moment: the board's reports match the motors.
TEST(random_programs_end_where_the_board_says) {
  std::mt19937 random(6);
  int cuts = 0;
  int whole = 0;
  for (int round = 0; round < 400; ++round) {
    Machine machine;
    std::vector<std::vector<Action>> program;
    for (uint8_t i = 0; i < 4; ++i) machine.run({servo(i, 1500)});
    const uint32_t before = machine.accepted;
    for (int i = 0; i < 8; ++i) {
      std::vector<Action> actions;
      const uint8_t a = static_cast<uint8_t>(random() % 3);
      switch (random() % 5) {
        case 0: actions = {turn(a, random() % 2 ? 2 : -1)}; break;
        case 1: actions = {turn(a, -2), turn(static_cast<uint8_t>(a + 3), 1)}; break;
        case 2: actions = {move_by(5, static_cast<int16_t>(random() % 800 - 400)), turn(a, 2)}; break;
        case 3: actions = {servo(a, static_cast<int16_t>(1000 + random() % 1000), 60)}; break;
        default: actions = {pause(1 + random() % 30), output(a, OutputMode::ON), turn(a, 1),
                            servo(3, static_cast<int16_t>(1000 + random() % 1000), 90, 1)};
      }
      const bool turns = actions.back().kind == static_cast<uint8_t>(ActionKind::TURN) && actions.size() <= 2 &&
                         actions.front().kind == static_cast<uint8_t>(ActionKind::TURN);
      const Begin begin = turns && random() % 2 ? Begin::ANGLE : Begin::AFTER_END;
      const uint16_t value = static_cast<uint16_t>(begin == Begin::AFTER_END ? 0 : random() % 60);
      CHECK_EQUAL(machine.step(actions, begin, value), 0);
      program.push_back(actions);
    }
    const bool stop = round % 4 != 0;
    if (stop) {
      machine.wait_ms(random() % 500);
      if (machine.board.state() == State::IDLE) continue;
      machine.abort();
    } else {
      machine.run_to_rest();
      ++whole;
    }
    const protocol::StatusMessage told = stop ? machine.stopped() : machine.status();
    const size_t executed = told.executed - before;
    long expected[6] = {};
    for (size_t i = 0; i < executed; ++i) {
      for (const Action& action : program[i]) {
        if (action.kind == static_cast<uint8_t>(ActionKind::TURN)) {
          expected[action.channel] += 400 * action.value;
        } else if (action.kind == static_cast<uint8_t>(ActionKind::MOVE_BY)) {
          expected[action.channel] += action.value;
        }
      }
    }
    if (machine.cut(told)) {
      ++cuts;
      for (const Action& action : program[executed]) {
        const long made = machine.position(action.channel) - expected[action.channel];
        if (action.kind == static_cast<uint8_t>(ActionKind::TURN)) {
          CHECK(is_part(made, action.value));
          expected[action.channel] += made;
        } else if (action.kind == static_cast<uint8_t>(ActionKind::MOVE_BY)) {
          CHECK(made * action.value >= 0 && std::abs(made) <= std::abs(action.value));
          expected[action.channel] += made;
        }
      }
    }
    for (uint8_t motor = 0; motor < 6; ++motor) CHECK_EQUAL(machine.position(motor), expected[motor]);
    CHECK_EQUAL(machine.status().servos_on, 15);  // nothing was released
    if (!stop) CHECK_EQUAL(executed, program.size());
  }
  CHECK(cuts > 50);
  CHECK_EQUAL(whole, 100);
}

TEST(an_emergency_stop_in_any_action_counts_nothing_that_did_not_end) {
  for (uint32_t us = 0; us < 400; us += 3) {
    for (const bool poll : {false, true}) {
      Machine machine;
      machine.run({servo(0, 1500)});
      CHECK_EQUAL(machine.step({move_by(5, 40), turn(0, 1), servo(0, 1700, 100)}), 0);
      machine.hardware.run_until(machine.hardware.now + us * 16,
                                 [&machine](uint8_t lane) { machine.board.on_timer(lane); });
      machine.hardware.estop_open = true;
      machine.board.on_estop();
      if (poll) machine.hardware.estop_open = false;
      const size_t steps = machine.hardware.steps.size();
      const uint16_t pulse = machine.hardware.pulse_us[0];
      machine.wait_ms(300);
      CHECK_EQUAL(machine.hardware.steps.size(), steps);
      CHECK(machine.hardware.pulse_us[0] == pulse);
      CHECK(!machine.hardware.drivers_on);
      const protocol::StatusMessage told = machine.status();
      CHECK_EQUAL(told.state, static_cast<uint8_t>(State::ESTOP));
      CHECK_EQUAL(told.executed, 1);
      CHECK_EQUAL(told.accepted, 1);
      CHECK(!machine.cut(told));
    }
  }
}

}  // namespace
}  // namespace thistlebot
