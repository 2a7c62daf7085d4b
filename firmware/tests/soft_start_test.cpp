// Turns whose acceleration builds up: how long they take, and that they end where the others do.
#include <cmath>
#include <cstdlib>
#include <random>

#include "motion_bench.h"

namespace thistlebot {
namespace {

using Bench = MotionBench;

constexpr uint8_t NONE = protocol::NO_MOTOR;

// The motion as a course in time: its acceleration grows evenly until `built` and then stays.
struct SoftRamp {
  double steps;
  double acceleration;
  double built;

  SoftRamp(double soft, double to) : steps(soft), acceleration(to), built(std::sqrt(6 * soft / to)) {}

  double way(double s) const {
    if (s < built) return acceleration / built * s * s * s / 6;
    return steps + acceleration * built / 2 * (s - built) + acceleration / 2 * (s - built) * (s - built);
  }
  double speed(double s) const {
    return s < built ? acceleration / built * s * s / 2 : acceleration * (s - built / 2);
  }
};

// When something that grows reaches a value.
template <typename Function>
double when(Function grows, double value) {
  double low = 0;
  double high = 100;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (grows(middle) < value ? low : high) = middle;
  }
  return low;
}

double ideal_s(double steps, double rate, double acceleration, double soft) {
  const SoftRamp ramp(soft, acceleration);
  const auto way = [&](double s) { return ramp.way(s); };
  const double first = when(way, 0.5);
  const double half = when(way, steps / 2);
  const double at_rate = when([&](double s) { return ramp.speed(s); }, rate);
  if (at_rate <= first) return (steps - 1) / rate;
  if (at_rate >= half) return 2 * (half - first);
  return 2 * (at_rate - first) + (steps - 2 * ramp.way(at_rate)) / rate;
}

double soft_steps(uint32_t soft_start) { return std::pow(4.0, soft_start); }

std::vector<long> intervals_of(const std::vector<Step>& steps) {
  std::vector<long> intervals;
  for (size_t i = 1; i < steps.size(); ++i) {
    intervals.push_back(static_cast<long>(steps[i].ticks - steps[i - 1].ticks));
  }
  return intervals;
}

TEST(any_soft_turn_takes_its_ideal_time) {
  std::mt19937 random(21);
  for (int i = 0; i < 600; ++i) {
    const uint32_t steps = i % 5 == 0 ? 4 + random() % 60 : 50 + random() % 1550;
    const uint32_t rate = 50 + random() % 49950;
    const uint32_t acceleration = static_cast<uint32_t>(std::exp(
        std::uniform_real_distribution<double>(std::log(20000.0), std::log(4000000.0))(random)));
    const uint32_t soft_start = 1 + random() % 3;
    Bench bench;
    bench.set_motors(steps, rate, acceleration);
    bench.set_soft_start(soft_start);
    const int quarters = i % 2 ? 2 : 1;
    bench.motion.push(Turn{3, static_cast<int8_t>(quarters), NONE, 0, 0});
    bench.run_to_rest();
    CHECK_EQUAL(bench.hardware.steps.size(), steps * static_cast<uint32_t>(quarters));
    const double ideal = ideal_s(steps * quarters, rate, acceleration, soft_steps(soft_start));
    if (std::fabs(bench.lasts_s() - ideal) > 0.001 * ideal) {
      std::fprintf(stderr, "%u steps, %u steps/s, %u steps/s2, soft start %u: %f s, not %f s\n",
                   steps * quarters, rate, acceleration, soft_start, bench.lasts_s(), ideal);
      CHECK(false);
    }
  }
}

TEST(a_soft_turn_is_the_course_of_its_acceleration) {
  for (const uint32_t soft_start : {1u, 2u, 3u}) {
    Bench bench;
    bench.set_motors(400, 17391, 1023018);
    bench.set_soft_start(soft_start);
    bench.motion.push(Turn{2, -1, NONE, 0, 0});
    bench.run_to_rest();
    const std::vector<Step>& steps = bench.hardware.steps;
    CHECK_EQUAL(steps.size(), 400);
    const SoftRamp ramp(soft_steps(soft_start), 1023018);
    const double first = when([&](double s) { return ramp.way(s); }, 0.5);
    for (size_t i = 0; i < 140; ++i) {
      const double s = static_cast<double>(steps[i].ticks - steps[0].ticks) / TICKS;
      CHECK(std::fabs(ramp.way(s + first) - 0.5 - static_cast<double>(i)) < 0.1);
    }
    const std::vector<long> intervals = intervals_of(steps);
    for (size_t i = 0; i < intervals.size() / 2; ++i) {
      CHECK(std::labs(intervals[i] - intervals[intervals.size() - 1 - i]) <= 2);
      if (i > 0) CHECK(intervals[i] <= intervals[i - 1] + 1);
    }
  }
}

TEST(a_soft_turn_never_exceeds_its_rate) {
  for (const uint32_t rate : {50u, 244u, 1000u, 17391u, 40000u, 50000u}) {
    Bench bench;
    bench.set_motors(rate < 300 ? 20 : 400, rate, 2000000);
    bench.set_soft_start(1 + rate % 3);
    bench.motion.push(Turn{0, 2, NONE, 0, 0});
    bench.run_to_rest();
    for (const long interval : intervals_of(bench.hardware.steps)) {
      CHECK(static_cast<double>(interval) > TICKS / rate * 0.998 - 1);
    }
  }
}

// A change back leaves no trace.
TEST(a_start_without_softness_is_the_usual_one) {
  Bench usual;
  usual.motion.push(Turn{0, 1, NONE, 0, 0});
  usual.run_to_rest();
  Bench bench;
  bench.set_soft_start(2);
  bench.set_soft_start(0);
  bench.motion.push(Turn{0, 1, NONE, 0, 0});
  bench.run_to_rest();
  CHECK(intervals_of(bench.hardware.steps) == intervals_of(usual.hardware.steps));
}

// Soft motors beside usual ones, in turns that overlap, whenever the stop comes.
TEST(a_stop_ends_soft_turns_at_detents) {
  std::mt19937 random(22);
  int cut = 0;
  for (int i = 0; i < 400; ++i) {
    Bench bench;
    bench.set_motors(400, i % 3 == 0 ? 50000 : 17391, 1023018);
    for (uint8_t motor = 0; motor < MOTORS; ++motor) {
      bench.set(protocol::Setting::SOFT_START, motor, random() % 4);
    }
    const int8_t turns[] = {-2, -1, 1, 2};
    const int8_t first = turns[random() % 4];
    bench.motion.push(Turn{0, first, NONE, 0, 0});
    bench.motion.push(Turn{1, turns[random() % 4], NONE, 0, 60});
    bench.run_us(random() % 120000);
    bench.motion.hurry();
    bench.run_to_rest();
    for (uint8_t motor = 0; motor < MOTORS; ++motor) CHECK_EQUAL(bench.position(motor) % 400, 0);
    if (bench.motion.partial(0) != 0) ++cut;
    if (bench.motion.finished() != 0) CHECK_EQUAL(bench.position(0), 400 * first);
  }
  CHECK(cut > 20);
}

// The steps of the half that is cut away come as those of a quarter turn.
TEST(a_soft_half_turn_that_is_cut_takes_the_time_of_a_quarter_turn) {
  for (const uint32_t soft_start : {1u, 2u, 3u}) {
    Bench bench;
    bench.set_soft_start(soft_start);
    bench.motion.push(Turn{0, 2, NONE, 0, 0});
    bench.run_us(10000);
    bench.motion.hurry();
    bench.run_to_rest();
    CHECK_EQUAL(bench.position(0), 400);
    CHECK(std::fabs(bench.lasts_s() / ideal_s(400, 17391, 1023018, soft_steps(soft_start)) - 1) < 0.001);
  }
}

TEST(a_soft_motor_brakes_as_it_began) {
  for (const uint32_t after_us : {3000u, 9000u, 20000u}) {
    Bench bench;
    bench.set_soft_start(2);
    bench.motion.push(Turn{0, 1, NONE, 0, 0});
    bench.run_us(after_us);
    const uint16_t all = bench.motion.brake(0);
    bench.run_to_rest();
    CHECK_EQUAL(bench.hardware.steps.size(), all);
    const std::vector<long> intervals = intervals_of(bench.hardware.steps);
    for (size_t i = 0; i < intervals.size() / 2; ++i) {
      CHECK(std::labs(intervals[i] - intervals[intervals.size() - 1 - i]) <= 2);
    }
  }
}

TEST(a_turn_begins_in_the_soft_end_of_another) {
  for (const uint16_t overlap : {1, 20, 100}) {
    Bench bench;
    bench.set_soft_start(2);
    bench.motion.push(Turn{0, 1, NONE, 0, 0});
    bench.motion.push(Turn{1, 1, NONE, 0, overlap});
    bench.run_to_rest();
    long left = 0;
    bool begun = false;
    for (const Step& step : bench.hardware.steps) {
      if (step.motor == 1) begun = true;
      if (begun && step.motor == 0) ++left;
    }
    CHECK(std::labs(left - overlap) <= 1);
  }
}

}  // namespace
}  // namespace thistlebot
