// Turns in simulated time: number of steps, direction, duration, and end.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

#include "check.h"
#include "motion_bench.h"

namespace thistlebot {
namespace {

using Bench = MotionBench;

double ideal_s(double steps, double rate, double acceleration) {
  if (rate * rate / acceleration >= steps) return 2 * std::sqrt(steps / acceleration);
  return steps / rate + rate / acceleration;
}

TEST(a_quarter_turn_takes_its_ideal_time) {
  Bench bench;
  bench.set_motors(400, 50000, 1000000);
  bench.motion.push(Turn{0, 1, protocol::NO_MOTOR, 0, 0});
  bench.run_to_rest();
  CHECK_EQUAL(bench.hardware.steps.size(), 400);
  const double s = bench.lasts_s();
  CHECK(std::fabs(s - 0.040) < 0.040 * 0.001);
}

TEST(any_turn_takes_its_ideal_time) {
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    const uint32_t steps = 50 + random() % 1550;
    const uint32_t rate = 500 + random() % 49500;
    // Up to the jerkiest start that still leaves the timer several ticks of a step's interval.
    const uint32_t acceleration = static_cast<uint32_t>(std::exp(
        std::uniform_real_distribution<double>(std::log(20000.0), std::log(4000000.0))(random)));
    Bench bench;
    bench.set_motors(steps, rate, acceleration);
    const int quarters = i % 2 ? 2 : 1;
    bench.motion.push(Turn{3, static_cast<int8_t>(quarters), protocol::NO_MOTOR, 0, 0});
    bench.run_to_rest();
    CHECK_EQUAL(bench.hardware.steps.size(), steps * static_cast<uint32_t>(quarters));
    const double s = bench.lasts_s();
    const double ideal = ideal_s(steps * quarters, rate, acceleration);
    if (std::fabs(s - ideal) > 0.001 * ideal) {
      std::fprintf(stderr, "%u steps, %u steps/s, %u steps/s2: %f s, not %f s\n", steps * quarters,
                   rate, acceleration, s, ideal);
      CHECK(false);
    }
  }
}

TEST(the_rate_is_never_exceeded) {
  for (const uint32_t rate : {50u, 244u, 1000u, 17391u, 40000u, 50000u}) {
    Bench bench;
    bench.set_motors(rate < 300 ? 20 : 400, rate, 2000000);
    bench.motion.push(Turn{0, 2, 3, -2, 0});
    bench.run_to_rest();
    std::map<uint8_t, uint64_t> last;
    for (const Step& step : bench.hardware.steps) {
      if (last.count(step.motor)) {
        const double interval = static_cast<double>(step.ticks - last[step.motor]);
        CHECK(interval > TICKS / rate * 0.998 - 1);
      }
      last[step.motor] = step.ticks;
    }
  }
}

TEST(speed_rises_and_falls_evenly) {
  Bench bench;
  bench.set_motors(400, 20000, 1000000);
  bench.motion.push(Turn{2, -2, protocol::NO_MOTOR, 0, 0});
  bench.run_to_rest();
  const std::vector<Step>& steps = bench.hardware.steps;
  std::vector<long> intervals;
  for (size_t i = 1; i < steps.size(); ++i) {
    intervals.push_back(static_cast<long>(steps[i].ticks - steps[i - 1].ticks));
  }
  for (size_t i = 0; i < intervals.size() / 2; ++i) {
    CHECK(std::labs(intervals[i] - intervals[intervals.size() - 1 - i]) <= 2);
    if (i > 0) CHECK(intervals[i] <= intervals[i - 1] + 1);
  }
  CHECK_EQUAL(bench.position(2), -800);
}

TEST(direction_and_reversal) {
  Bench bench;
  bench.set(protocol::Setting::DIRECTION, 4, 1);
  bench.motion.push(Turn{1, 1, 4, 1, 0});
  bench.motion.push(Turn{1, -2, 4, 2, 0});
  bench.run_to_rest();
  CHECK_EQUAL(bench.position(1), 400 - 800);
  CHECK_EQUAL(bench.position(4), -400 - 800);
}

TEST(the_gap_is_kept) {
  for (const uint32_t gap_us : {16u, 30u, 40u, 50u, 100u, 1000u, 5000u, 100000u, 1000000u}) {
    Bench bench;
    bench.set(protocol::Setting::GAP_US, protocol::NO_MOTOR, gap_us);
    bench.motion.push(Turn{0, 1, protocol::NO_MOTOR, 0, 0});
    bench.motion.push(Turn{1, 1, protocol::NO_MOTOR, 0, 0});
    bench.run_to_rest();
    CHECK_EQUAL(bench.hardware.steps.size(), 800);
    const uint64_t gap = bench.hardware.steps[400].ticks - bench.hardware.steps[399].ticks;
    CHECK(gap >= gap_us * TICKS_PER_US);
    CHECK(gap <= gap_us * TICKS_PER_US + 25u * TICKS_PER_US);
  }
}

TEST(a_full_queue_runs_by_itself) {
  Bench bench;
  std::mt19937 random(12);
  long expected[6] = {};
  int pushed = 0;
  for (int round = 0; round < 10; ++round) {
    CHECK_EQUAL(bench.motion.free_slots(), TURNS_AHEAD);
    const int before = pushed;
    while (bench.motion.free_slots() > 0) {
      const uint8_t a = static_cast<uint8_t>(random() % 6);
      const uint8_t b = static_cast<uint8_t>((a + 3) % 6);
      const int8_t turns[] = {-2, -1, 1, 2};
      const int8_t qa = turns[random() % 4];
      const int8_t qb = turns[random() % 4];
      const bool pair = random() % 2 == 0;
      bench.motion.push(Turn{a, qa, pair ? b : protocol::NO_MOTOR, pair ? qb : int8_t{0}, 0});
      expected[a] += 400 * qa;
      if (pair) expected[b] += 400 * qb;
      ++pushed;
    }
    CHECK_EQUAL(pushed - before, TURNS_AHEAD + 1);  // the running turn holds no slot
    bench.run_to_rest();
    bench.run_us(2000);
  }
  for (uint8_t motor = 0; motor < 6; ++motor) CHECK_EQUAL(bench.position(motor), expected[motor]);
  CHECK_EQUAL(bench.motion.finished(), pushed);
}

TEST(two_motors_turn_together) {
  Bench bench;
  bench.motion.push(Turn{0, 1, 3, 1, 0});
  bench.run_us(20000);
  CHECK_EQUAL(bench.motion.active(), 3);
  bench.run_to_rest();
  CHECK_EQUAL(bench.position(0), 400);
  CHECK_EQUAL(bench.position(3), 400);
  uint64_t first[6] = {};
  for (const Step& step : bench.hardware.steps) {
    if (first[step.motor] == 0) first[step.motor] = step.ticks;
  }
  CHECK_EQUAL(first[3] - first[0], STAGGER_TICKS);
}

// Whenever a stop is asked for, every face ends at a quarter turn, soon, and nothing follows.
TEST(a_stop_ends_at_a_detent) {
  std::mt19937 random(13);
  int cut = 0;
  for (int i = 0; i < 600; ++i) {
    Bench bench;
    const uint32_t rate = i % 3 == 0 ? 50000 : 17391;
    bench.set_motors(400, rate, 1023018);
    const int8_t turns[] = {-2, -1, 1, 2};
    const int8_t qa = turns[random() % 4];
    const int8_t qb = turns[random() % 4];
    bench.motion.push(Turn{0, qa, 3, qb, 0});
    bench.motion.push(Turn{1, 1, protocol::NO_MOTOR, 0, 0});
    bench.run_us(random() % 70000);
    const uint64_t asked = bench.hardware.now;
    const bool under_way = (bench.motion.active() & 1) != 0 || (bench.motion.active() & 2) != 0;
    if (i % 2) {
      bench.motion.hurry();
    } else {
      bench.motion.request_stop();
    }
    bench.run_to_rest();
    bench.run_us(200000);
    CHECK(bench.motion.at_rest());
    for (uint8_t motor = 0; motor < 6; ++motor) CHECK_EQUAL(bench.position(motor) % 400, 0);
    CHECK(bench.motion.finished() <= 2);
    CHECK_EQUAL(bench.motion.cut_short(), bench.motion.finished() == 0);
    if (bench.motion.cut_short()) {
      CHECK(is_part(bench.position(0), qa) && is_part(bench.position(3), qb));
      CHECK(bench.position(0) != 400 * qa || bench.position(3) != 400 * qb);
      ++cut;
    } else {
      CHECK_EQUAL(bench.position(0), 400 * qa);
      CHECK_EQUAL(bench.position(3), 400 * qb);
    }
    if (under_way) CHECK(bench.hardware.steps.back().ticks - asked <= 64 * 1000 * TICKS_PER_US);
  }
  CHECK(cut > 30);
}

TEST(a_halt_makes_no_further_step) {
  Bench bench;
  bench.motion.push(Turn{0, 1, 3, 1, 0});
  bench.run_us(15000);
  bench.motion.halt();
  const size_t steps = bench.hardware.steps.size();
  bench.run_us(100000);
  CHECK_EQUAL(bench.hardware.steps.size(), steps);
  CHECK(bench.motion.at_rest());
  bench.motion.push(Turn{1, 1, protocol::NO_MOTOR, 0, 0});  // taken before the halt was noticed
  bench.run_us(100000);
  CHECK_EQUAL(bench.hardware.steps.size(), steps);
  bench.motion.release();
  bench.motion.push(Turn{1, 1, protocol::NO_MOTOR, 0, 0});
  bench.run_to_rest();
  CHECK_EQUAL(bench.position(1), 400);
}

TEST(slow_motors_start_slowly) {
  Bench bench;
  bench.set_motors(40, 50, 1000);
  bench.motion.push(Turn{0, 1, 3, 2, 0});
  bench.run_to_rest();
  CHECK_EQUAL(bench.position(0), 40);
  CHECK_EQUAL(bench.position(3), 80);
}

// How many steps of one motor follow another's last.
long steps_after_end(const std::vector<Step>& steps, int motor, int other) {
  long left = 0;
  for (const Step& step : steps) {
    if (step.motor == motor) ++left;
    if (step.motor == other) left = 0;
  }
  return left;
}

// The next turn begins before the last steps of the previous one.
TEST(turns_overlap_by_the_steps_asked_for) {
  for (const uint8_t overlap : {1, 30, 44, 100, 255}) {
    Bench bench;
    bench.set_motors(400, 17391, 1023018);  // ramps of 147 or 148 steps
    for (uint8_t i = 0; i < 5; ++i) {
      bench.motion.push(Turn{i, static_cast<int8_t>(i % 2 ? -2 : 1), protocol::NO_MOTOR, 0, overlap});
    }
    bench.run_to_rest();
    CHECK_EQUAL(bench.motion.finished(), 5);
    for (uint8_t i = 0; i < 5; ++i) CHECK_EQUAL(bench.position(i), i % 2 ? -800 : 400);
    for (uint8_t motor = 1; motor < 5; ++motor) {
      long left = 0;  // steps of the motor before that follow this one's first
      bool begun = false;
      for (const Step& step : bench.hardware.steps) {
        if (step.motor == motor) begun = true;
        if (begun && step.motor == motor - 1) ++left;
      }
      // At most all intervals but those of speeding up: 399, or 799 of a half turn, less 147. The turn
      // before that has to be over.
      const long most = motor % 2 ? 252 : 652;
      const long then = motor == 1 ? most : steps_after_end(bench.hardware.steps, motor - 1, motor - 2);
      const long expected = std::min({static_cast<long>(overlap), most, then});
      if (std::labs(left - expected) > 1) {
        std::fprintf(stderr, "overlap %d, motor %d: %ld steps left, not %ld\n", overlap, motor, left,
                     expected);
        CHECK(false);
      }
    }
  }
}

// How many steps of one motor follow another's first.
long steps_after_start(const std::vector<Step>& steps, uint8_t motor, uint8_t starter) {
  long left = 0;
  bool begun = false;
  for (const Step& step : steps) {
    if (step.motor == starter) begun = true;
    if (begun && step.motor == motor) ++left;
  }
  return left;
}

TEST(a_motor_never_overlaps_itself) {
  Bench bench;
  bench.motion.push(Turn{0, 1, protocol::NO_MOTOR, 0, 50});
  bench.motion.push(Turn{0, -1, protocol::NO_MOTOR, 0, 50});
  bench.motion.push(Turn{1, 1, 4, 1, 0});
  bench.motion.push(Turn{2, 1, 4, 1, 50});
  bench.run_to_rest();
  CHECK_EQUAL(bench.motion.finished(), 4);
  const std::vector<Step>& steps = bench.hardware.steps;
  CHECK_EQUAL(steps.size(), 6 * 400);
  for (size_t i = 1; i < 800; ++i) CHECK_EQUAL(steps[i].motor, 0);
  CHECK_EQUAL(steps_after_start(steps, 1, 2), 0);
}

TEST(a_turn_of_two_overlaps_none_on_two_lanes) {
  if (LANES != 2) return;
  for (const int8_t longer : {1, 2}) {  // of two motors one may be at rest long before the other
    Bench bench;
    bench.motion.push(Turn{0, 1, protocol::NO_MOTOR, 0, 50});
    bench.motion.push(Turn{1, 1, 4, longer, 50});
    bench.motion.push(Turn{2, 1, protocol::NO_MOTOR, 0, 50});
    bench.run_to_rest();
    CHECK_EQUAL(bench.motion.finished(), 3);
    CHECK_EQUAL(bench.position(4), 400 * longer);
    CHECK_EQUAL(steps_after_start(bench.hardware.steps, 0, 1), 0);
    CHECK_EQUAL(steps_after_start(bench.hardware.steps, 1, 2), 0);
    CHECK_EQUAL(steps_after_start(bench.hardware.steps, 4, 2), 0);
  }
}

// With four lanes, turns of two overlap each other and turns of one; the next begins when both motors
// of the turn before have few enough steps left.
TEST(turns_of_two_overlap_on_four_lanes) {
  if (LANES != 4) return;
  for (const uint8_t overlap : {1, 30, 100}) {
    Bench bench;
    bench.set_motors(400, 17391, 1023018);
    const uint8_t none = protocol::NO_MOTOR;
    const Turn turns[] = {{0, 1, 3, -1, 0},       {1, 1, 4, 2, overlap}, {0, 2, none, 0, overlap},
                          {2, 1, 5, 1, overlap}};
    for (const Turn& turn : turns) bench.motion.push(turn);
    uint8_t most = 0;
    while (!bench.motion.at_rest()) {
      bench.run_us(100);
      if (bench.motion.active() > most) most = bench.motion.active();
    }
    CHECK_EQUAL(bench.motion.finished(), 4);
    CHECK_EQUAL(most, 15);
    CHECK_EQUAL(bench.position(0), 1200);
    CHECK_EQUAL(bench.position(4), 800);
    const std::vector<Step>& steps = bench.hardware.steps;
    CHECK(std::labs(steps_after_start(steps, 3, 1) - overlap) <= 1);
    size_t single = 0;  // where motor 0 begins its second turn: the first has ended by then
    for (size_t i = 0, seen = 0; i < steps.size(); ++i) {
      if (steps[i].motor == 0 && ++seen == 401) single = i;
    }
    long left[6] = {};
    for (size_t i = single; i < steps.size(); ++i) ++left[steps[i].motor];
    CHECK_EQUAL(left[1], 0);  // a quarter turn, over before the half turn beside it
    CHECK(std::labs(left[4] - overlap) <= 1);
    CHECK(std::labs(steps_after_start(steps, 0, 2) - overlap) <= 1);
  }
}

// Even when the second ends first: its motor is faster by far.
TEST(an_overlapping_turn_that_ends_first_is_counted) {
  Bench bench;
  bench.set(protocol::Setting::ACCELERATION_STEPS_S2, 0, 5000);
  bench.set(protocol::Setting::STEPS_PER_QUARTER, 1, 10);
  bench.motion.push(Turn{0, 1, protocol::NO_MOTOR, 0, 0});
  bench.motion.push(Turn{1, 1, protocol::NO_MOTOR, 0, 100});
  bench.motion.push(Turn{2, 1, protocol::NO_MOTOR, 0, 100});
  bench.run_to_rest();
  CHECK_EQUAL(bench.motion.finished(), 3);
  CHECK_EQUAL(bench.position(0), 400);
  CHECK_EQUAL(bench.position(1), 10);
  CHECK_EQUAL(bench.position(2), 400);
}

// The same with turns of two, on four lanes.
TEST(a_stop_ends_overlapping_turns_of_two_at_detents) {
  if (LANES != 4) return;
  std::mt19937 random(15);
  int cut = 0;
  int four = 0;
  for (int i = 0; i < 900; ++i) {
    Bench bench;
    bench.set_motors(400, 17391, 1023018);
    long expected[6] = {};
    Turn turns[6];
    for (uint8_t place = 0; place < 6; ++place) {
      const int8_t quarters[] = {-2, -1, 1, 2};
      const uint8_t a = place % 3;
      const bool two = random() % 4 != 0;
      const int8_t of_a = quarters[random() % 4];
      const int8_t of_b = quarters[random() % 4];
      turns[place] = Turn{a, of_a, two ? static_cast<uint8_t>(a + 3) : protocol::NO_MOTOR,
                          two ? of_b : int8_t{0}, static_cast<uint8_t>(random() % 4 * 70)};
      bench.motion.push(turns[place]);
    }
    bench.run_us(random() % 250000);
    if (bench.motion.active() == 15) ++four;
    if (i % 3) {
      bench.motion.hurry();
    } else {
      bench.motion.request_stop();
    }
    const uint64_t asked = bench.hardware.now;
    bench.run_to_rest();
    const uint8_t finished = bench.motion.finished();
    for (uint8_t place = 0; place < finished; ++place) {
      expected[turns[place].motor_a] += 400 * turns[place].quarters_a;
      if (turns[place].motor_b < 6) expected[turns[place].motor_b] += 400 * turns[place].quarters_b;
    }
    if (bench.motion.cut_short()) {
      CHECK(i % 3 != 0);
      CHECK(finished < 6);
      const Turn& turn = turns[finished];
      CHECK(is_part(bench.position(turn.motor_a) - expected[turn.motor_a], turn.quarters_a));
      expected[turn.motor_a] = bench.position(turn.motor_a);
      if (turn.motor_b < 6) {
        CHECK(is_part(bench.position(turn.motor_b) - expected[turn.motor_b], turn.quarters_b));
        expected[turn.motor_b] = bench.position(turn.motor_b);
      }
      ++cut;
    }
    for (uint8_t motor = 0; motor < 6; ++motor) CHECK_EQUAL(bench.position(motor), expected[motor]);
    CHECK(bench.hardware.steps.back().ticks <= asked + 64 * 1000 * TICKS_PER_US);
  }
  CHECK(cut > 30);
  CHECK(four > 30);
}

// A stop lets both turns reach a detent, and the counters say which.
TEST(a_stop_ends_overlapping_turns_at_detents) {
  std::mt19937 random(14);
  int cut = 0;
  int both = 0;
  for (int i = 0; i < 1200; ++i) {
    const uint8_t overlap = i < 600 ? 60 : 220;  // the second begins before the first slows down
    Bench bench;
    bench.set_motors(400, 17391, 1023018);
    long expected[6] = {};
    int8_t quarters[6];
    for (uint8_t motor = 0; motor < 6; ++motor) {
      const int8_t turns[] = {-2, -1, 1, 2};
      quarters[motor] = turns[random() % 4];
      bench.motion.push(Turn{motor, quarters[motor], protocol::NO_MOTOR, 0, overlap});
    }
    bench.run_us(random() % 250000);
    if (bench.motion.active() == (LANES == 4 ? 5 : 3)) ++both;
    if (i % 2) {
      bench.motion.hurry();
    } else {
      bench.motion.request_stop();
    }
    const uint64_t asked = bench.hardware.now;
    bench.run_to_rest();
    const uint8_t finished = bench.motion.finished();
    for (uint8_t motor = 0; motor < finished; ++motor) expected[motor] = 400 * quarters[motor];
    if (bench.motion.cut_short()) {
      CHECK(i % 2 == 1);
      CHECK(finished < 6);
      expected[finished] = 200 * quarters[finished];
      ++cut;
    }
    for (uint8_t motor = 0; motor < 6; ++motor) CHECK_EQUAL(bench.position(motor), expected[motor]);
    CHECK(bench.hardware.steps.back().ticks <= asked + 64 * 1000 * TICKS_PER_US);
  }
  CHECK(cut > 30);
  CHECK(both > 30);
}

}  // namespace
}  // namespace thistlebot
