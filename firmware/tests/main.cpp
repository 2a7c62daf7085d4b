// Runs all tests, or prints the intervals of one turn for a comparison with the simulated board:
//   host-test trace STEPS_PER_QUARTER RATE_STEPS_S ACCELERATION_STEPS_S2 QUARTERS
// or the pulses of a servo that goes from one to another, frame by frame:
//   host-test servo FROM_US TO_US SPEED
// or sends damaged packets to a board:
//   host-test fuzz PACKETS [SEED]
// or lets another program talk to a board:
//   host-test talk
#include <cstring>

#include "check.h"
#include "core/motion.h"
#include "core/servos.h"
#include "fuzz.h"
#include "talk.h"
#include "virtual_hardware.h"

namespace {

int trace(char** numbers) {
  using namespace thistlebot;
  Fixture fixture;
  Motion motion{};
  MotorSettings motor{};
  motor.steps_per_quarter = static_cast<uint16_t>(std::atoi(numbers[0]));
  motor.rate_steps_s = static_cast<uint16_t>(std::atoi(numbers[1]));
  motor.acceleration_steps_s2 = static_cast<uint32_t>(std::atol(numbers[2]));
  motor.direction = 0;
  motion.configure_motor(0, motor);
  motion.configure_gap(1000);
  motion.push(Turn{0, static_cast<int8_t>(std::atoi(numbers[3])), protocol::NO_MOTOR, 0, 0});
  fixture.hardware.run_until(20ULL * TICKS_PER_S, [&](uint8_t lane) { motion.on_timer(lane); });
  const std::vector<Step>& steps = fixture.hardware.steps;
  for (size_t i = 1; i < steps.size(); ++i) {
    std::printf("%llu\n", static_cast<unsigned long long>(steps[i].ticks - steps[i - 1].ticks));
  }
  return 0;
}

int servo(char** numbers) {
  using namespace thistlebot;
  Fixture fixture;
  Servos servos{};
  servos.aim(0, static_cast<uint16_t>(std::atoi(numbers[0])), 0);
  servos.aim(0, static_cast<uint16_t>(std::atoi(numbers[1])), static_cast<uint8_t>(std::atoi(numbers[2])));
  while (!servos.reached(0)) {
    servos.frame();
    std::printf("%u\n", fixture.hardware.pulse_us[0]);
  }
  return 0;
}

}  // namespace

// Not looked for: nothing under test has a heap, and the search needs ptrace, which some machines forbid a process.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

int main(int argc, char** argv) {
  if (argc == 6 && std::strcmp(argv[1], "trace") == 0) return trace(argv + 2);
  if (argc == 5 && std::strcmp(argv[1], "servo") == 0) return servo(argv + 2);
  if (argc >= 3 && std::strcmp(argv[1], "fuzz") == 0) {
    const uint32_t seed = argc > 3 ? static_cast<uint32_t>(std::atol(argv[3])) : 1;
    const thistlebot::FuzzCounts counts = thistlebot::fuzz(std::atol(argv[2]), seed);
    std::printf("%ld packets, %ld of them damaged; %ld answers, %ld turns, %ld steps; no rule broken\n",
                counts.packets, counts.damaged, counts.answers, counts.turns, counts.steps);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "talk") == 0) return thistlebot::talk();
  for (const check::Test& test : check::tests()) {
    std::printf("%s\n", test.name);
    std::fflush(stdout);
    test.run();
  }
  std::printf("%zu tests passed\n", check::tests().size());
  return 0;
}
