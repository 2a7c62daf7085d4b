#include "settings.h"

namespace thistlebot {

using protocol::Reason;
using protocol::Setting;

namespace {

constexpr Setting MOTOR_KEYS[] = {Setting::STEPS_PER_QUARTER, Setting::RATE_STEPS_S,
                                  Setting::ACCELERATION_STEPS_S2, Setting::DIRECTION,
                                  Setting::DRIVER_ADDRESS, Setting::DRIVER_CURRENT_MA,
                                  Setting::DRIVER_MODE, Setting::DRIVER_MICROSTEPS,
                                  Setting::STALL_THRESHOLD};
constexpr Setting GLOBAL_KEYS[] = {Setting::GAP_US, Setting::HOST_TIMEOUT_MS,
                                   Setting::IDLE_TIMEOUT_MS, Setting::ENABLE_POLARITY,
                                   Setting::STALL_INPUT, Setting::ENABLE_SETTLE_MS};

// OK if the key exists and belongs to this motor.
uint8_t look_up(uint8_t key, uint8_t motor, protocol::SettingSpec& spec) {
  if (!protocol::setting_spec(key, spec)) {
    return static_cast<uint8_t>(Reason::UNKNOWN_KEY);
  }
  const bool fits = spec.per_motor ? motor < MOTORS : motor == protocol::NO_MOTOR;
  return fits ? Settings::OK : static_cast<uint8_t>(Reason::OUT_OF_RANGE);
}

uint8_t* put(uint8_t* to, uint32_t value, uint8_t size) {
  while (size-- > 0) {
    *to++ = static_cast<uint8_t>(value);
    value >>= 8;
  }
  return to;
}

uint32_t take(const uint8_t*& from, uint8_t size) {
  uint32_t value = 0;
  for (uint8_t i = size; i-- > 0;) value = value << 8 | from[i];
  from += size;
  return value;
}

}  // namespace

Settings::Settings() {
  for (MotorSettings& motor : motors_) {
    motor.steps_per_quarter = protocol::INITIAL_STEPS_PER_QUARTER;
    motor.rate_steps_s = protocol::INITIAL_RATE_STEPS_S;
    motor.acceleration_steps_s2 = protocol::INITIAL_ACCELERATION_STEPS_S2;
    motor.direction = protocol::INITIAL_DIRECTION;
    motor.driver_address = protocol::INITIAL_DRIVER_ADDRESS;
    motor.driver_current_ma = protocol::INITIAL_DRIVER_CURRENT_MA;
    motor.driver_mode = protocol::INITIAL_DRIVER_MODE;
    motor.driver_microsteps = protocol::INITIAL_DRIVER_MICROSTEPS;
    motor.stall_threshold = protocol::INITIAL_STALL_THRESHOLD;
  }
  global_.gap_us = protocol::INITIAL_GAP_US;
  global_.host_timeout_ms = protocol::INITIAL_HOST_TIMEOUT_MS;
  global_.idle_timeout_ms = protocol::INITIAL_IDLE_TIMEOUT_MS;
  global_.enable_polarity = protocol::INITIAL_ENABLE_POLARITY;
  global_.stall_input = protocol::INITIAL_STALL_INPUT;
  global_.enable_settle_ms = protocol::INITIAL_ENABLE_SETTLE_MS;
}

Settings::Place Settings::place(Setting key, uint8_t motor) {
  MotorSettings& own = motors_[motor < MOTORS ? motor : 0];
  switch (key) {
    case Setting::STEPS_PER_QUARTER: return Place{&own.steps_per_quarter, 2};
    case Setting::RATE_STEPS_S: return Place{&own.rate_steps_s, 2};
    case Setting::ACCELERATION_STEPS_S2: return Place{&own.acceleration_steps_s2, 4};
    case Setting::DIRECTION: return Place{&own.direction, 1};
    case Setting::DRIVER_ADDRESS: return Place{&own.driver_address, 1};
    case Setting::DRIVER_CURRENT_MA: return Place{&own.driver_current_ma, 2};
    case Setting::DRIVER_MODE: return Place{&own.driver_mode, 1};
    case Setting::DRIVER_MICROSTEPS: return Place{&own.driver_microsteps, 1};
    case Setting::STALL_THRESHOLD: return Place{&own.stall_threshold, 1};
    case Setting::GAP_US: return Place{&global_.gap_us, 4};
    case Setting::HOST_TIMEOUT_MS: return Place{&global_.host_timeout_ms, 4};
    case Setting::IDLE_TIMEOUT_MS: return Place{&global_.idle_timeout_ms, 4};
    case Setting::ENABLE_SETTLE_MS: return Place{&global_.enable_settle_ms, 2};
    case Setting::STALL_INPUT: return Place{&global_.stall_input, 1};
    default: return Place{&global_.enable_polarity, 1};
  }
}

uint32_t Settings::Place::load() const {
  if (size == 1) return *static_cast<uint8_t*>(at);
  if (size == 2) return *static_cast<uint16_t*>(at);
  return *static_cast<uint32_t*>(at);
}

void Settings::Place::store(uint32_t value) const {
  if (size == 1) {
    *static_cast<uint8_t*>(at) = static_cast<uint8_t>(value);
  } else if (size == 2) {
    *static_cast<uint16_t*>(at) = static_cast<uint16_t>(value);
  } else {
    *static_cast<uint32_t*>(at) = value;
  }
}

uint8_t Settings::get(uint8_t key, uint8_t motor, uint32_t& value) {
  protocol::SettingSpec spec;
  const uint8_t outcome = look_up(key, motor, spec);
  if (outcome == OK) value = place(static_cast<Setting>(key), motor).load();
  return outcome;
}

uint8_t Settings::set(uint8_t key, uint8_t motor, uint32_t value, bool& changed) {
  protocol::SettingSpec spec;
  const uint8_t outcome = look_up(key, motor, spec);
  if (outcome != OK) return outcome;
  if (value < spec.minimum || value > spec.maximum) {
    return static_cast<uint8_t>(Reason::OUT_OF_RANGE);
  }
  const Place where = place(static_cast<Setting>(key), motor);
  changed = where.load() != value;
  where.store(value);
  return OK;
}

void Settings::write(uint8_t* to) {
  for (uint8_t motor = 0; motor < MOTORS; ++motor) {
    for (const Setting key : MOTOR_KEYS) {
      const Place from = place(key, motor);
      to = put(to, from.load(), from.size);
    }
  }
  for (const Setting key : GLOBAL_KEYS) {
    const Place from = place(key, protocol::NO_MOTOR);
    to = put(to, from.load(), from.size);
  }
}

bool Settings::read(const uint8_t* from) {
  Settings read;
  bool changed = false;
  for (uint8_t motor = 0; motor < MOTORS; ++motor) {
    for (const Setting key : MOTOR_KEYS) {
      const uint32_t value = take(from, place(key, motor).size);
      if (read.set(static_cast<uint8_t>(key), motor, value, changed) != OK) return false;
    }
  }
  for (const Setting key : GLOBAL_KEYS) {
    const uint32_t value = take(from, place(key, protocol::NO_MOTOR).size);
    if (read.set(static_cast<uint8_t>(key), protocol::NO_MOTOR, value, changed) != OK) return false;
  }
  *this = read;
  return true;
}

}  // namespace thistlebot
