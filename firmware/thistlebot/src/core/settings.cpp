#include "settings.h"

namespace thistlebot {

using protocol::Reason;
using protocol::Setting;

namespace {

constexpr Setting MOTOR_KEYS[] = {Setting::STEPS_PER_QUARTER, Setting::RATE_STEPS_S,
                                  Setting::ACCELERATION_STEPS_S2, Setting::DIRECTION};
constexpr Setting GLOBAL_KEYS[] = {Setting::GAP_US, Setting::HOST_TIMEOUT_MS,
                                   Setting::IDLE_TIMEOUT_MS, Setting::ENABLE_POLARITY};

// OK if the key exists and belongs to this motor.
uint8_t look_up(uint8_t key, uint8_t motor, protocol::SettingSpec& spec) {
  if (!protocol::setting_spec(key, spec)) {
    return static_cast<uint8_t>(Reason::UNKNOWN_KEY);
  }
  const bool fits = spec.per_motor ? motor < protocol::MAX_MOTORS : motor == protocol::NO_MOTOR;
  return fits ? Settings::OK : static_cast<uint8_t>(Reason::OUT_OF_RANGE);
}

// Bytes that a value takes in EEPROM.
uint8_t stored_size(Setting key) {
  switch (key) {
    case Setting::STEPS_PER_QUARTER:
    case Setting::RATE_STEPS_S:
      return 2;
    case Setting::DIRECTION:
    case Setting::ENABLE_POLARITY:
      return 1;
    default:
      return 4;
  }
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
  }
  global_.gap_us = protocol::INITIAL_GAP_US;
  global_.host_timeout_ms = protocol::INITIAL_HOST_TIMEOUT_MS;
  global_.idle_timeout_ms = protocol::INITIAL_IDLE_TIMEOUT_MS;
  global_.enable_polarity = protocol::INITIAL_ENABLE_POLARITY;
}

uint8_t Settings::get(uint8_t key, uint8_t motor, uint32_t& value) const {
  protocol::SettingSpec spec;
  const uint8_t outcome = look_up(key, motor, spec);
  if (outcome != OK) return outcome;
  switch (static_cast<Setting>(key)) {
    case Setting::STEPS_PER_QUARTER: value = motors_[motor].steps_per_quarter; break;
    case Setting::RATE_STEPS_S: value = motors_[motor].rate_steps_s; break;
    case Setting::ACCELERATION_STEPS_S2: value = motors_[motor].acceleration_steps_s2; break;
    case Setting::DIRECTION: value = motors_[motor].direction; break;
    case Setting::GAP_US: value = global_.gap_us; break;
    case Setting::HOST_TIMEOUT_MS: value = global_.host_timeout_ms; break;
    case Setting::IDLE_TIMEOUT_MS: value = global_.idle_timeout_ms; break;
    case Setting::ENABLE_POLARITY: value = global_.enable_polarity; break;
  }
  return OK;
}

uint8_t Settings::set(uint8_t key, uint8_t motor, uint32_t value, bool& changed) {
  protocol::SettingSpec spec;
  const uint8_t outcome = look_up(key, motor, spec);
  if (outcome != OK) return outcome;
  if (value < spec.minimum || value > spec.maximum) {
    return static_cast<uint8_t>(Reason::OUT_OF_RANGE);
  }
  uint32_t before = 0;
  get(key, motor, before);
  changed = before != value;
  switch (static_cast<Setting>(key)) {
    case Setting::STEPS_PER_QUARTER:
      motors_[motor].steps_per_quarter = static_cast<uint16_t>(value);
      break;
    case Setting::RATE_STEPS_S: motors_[motor].rate_steps_s = static_cast<uint16_t>(value); break;
    case Setting::ACCELERATION_STEPS_S2: motors_[motor].acceleration_steps_s2 = value; break;
    case Setting::DIRECTION: motors_[motor].direction = static_cast<uint8_t>(value); break;
    case Setting::GAP_US: global_.gap_us = value; break;
    case Setting::HOST_TIMEOUT_MS: global_.host_timeout_ms = value; break;
    case Setting::IDLE_TIMEOUT_MS: global_.idle_timeout_ms = value; break;
    case Setting::ENABLE_POLARITY: global_.enable_polarity = static_cast<uint8_t>(value); break;
  }
  return OK;
}

void Settings::write(uint8_t* to) const {
  uint32_t value = 0;
  for (uint8_t motor = 0; motor < protocol::MAX_MOTORS; ++motor) {
    for (const Setting key : MOTOR_KEYS) {
      get(static_cast<uint8_t>(key), motor, value);
      to = put(to, value, stored_size(key));
    }
  }
  for (const Setting key : GLOBAL_KEYS) {
    get(static_cast<uint8_t>(key), protocol::NO_MOTOR, value);
    to = put(to, value, stored_size(key));
  }
}

bool Settings::read(const uint8_t* from) {
  Settings read;
  bool changed = false;
  for (uint8_t motor = 0; motor < protocol::MAX_MOTORS; ++motor) {
    for (const Setting key : MOTOR_KEYS) {
      const uint32_t value = take(from, stored_size(key));
      if (read.set(static_cast<uint8_t>(key), motor, value, changed) != OK) return false;
    }
  }
  for (const Setting key : GLOBAL_KEYS) {
    const uint32_t value = take(from, stored_size(key));
    if (read.set(static_cast<uint8_t>(key), protocol::NO_MOTOR, value, changed) != OK) return false;
  }
  *this = read;
  return true;
}

}  // namespace thistlebot
