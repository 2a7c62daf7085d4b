// Motors that turn in simulated time.
#pragma once

#include "check.h"
#include "core/motion.h"
#include "core/settings.h"
#include "virtual_hardware.h"

namespace thistlebot {

constexpr double TICKS = 16e6;

struct MotionBench : Fixture {
  Settings settings;
  Motion motion{};

  MotionBench() { configure(); }

  void set(protocol::Setting key, uint8_t motor, uint32_t value) {
    bool changed = false;
    CHECK_EQUAL(settings.set(static_cast<uint8_t>(key), motor, value, changed), Settings::OK);
    configure();
  }

  void set_motors(uint32_t steps, uint32_t rate, uint32_t acceleration) {
    for (uint8_t motor = 0; motor < MOTORS; ++motor) {
      set(protocol::Setting::STEPS_PER_QUARTER, motor, steps);
      set(protocol::Setting::RATE_STEPS_S, motor, rate);
      set(protocol::Setting::ACCELERATION_STEPS_S2, motor, acceleration);
    }
  }

  void configure() {
    for (uint8_t motor = 0; motor < MOTORS; ++motor) {
      motion.configure_motor(motor, settings.motor(motor));
    }
    motion.configure_gap(settings.common().gap_us);
  }

  void run_us(uint64_t us) {
    hardware.run_until(hardware.now + us * TICKS_PER_US,
                       [this](uint8_t lane) { motion.on_timer(lane); });
  }

  void run_to_rest() {
    for (int i = 0; i < 100000 && !motion.at_rest(); ++i) run_us(1000);
    CHECK(motion.at_rest());
  }

  // Net steps of a motor, clockwise positive.
  long position(uint8_t motor) const {
    long sum = 0;
    for (const Step& step : hardware.steps) {
      if (step.motor == motor) sum += step.high ? 1 : -1;
    }
    return sum;
  }

  // From the first step to the last.
  double lasts_s() const {
    return static_cast<double>(hardware.steps.back().ticks - hardware.steps.front().ticks) / TICKS;
  }
};

}  // namespace thistlebot
