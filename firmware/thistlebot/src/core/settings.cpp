#include "settings.h"

#include <stddef.h>

#include "flash.h"

namespace thistlebot {

using protocol::Reason;
using protocol::Setting;

namespace {

// Where a setting is kept, and what it may be; in flash, as all of them together.
struct Row {
  uint8_t key;
  uint8_t at;  // offset in MotorSettings or GlobalSettings
  uint8_t size;
  uint16_t minimum;
  uint32_t maximum;
  uint32_t initial;
};

#define THISTLEBOT_ROW(key, type, field)                                                       \
  {                                                                                            \
    static_cast<uint8_t>(Setting::key), static_cast<uint8_t>(offsetof(type, field)),           \
        static_cast<uint8_t>(sizeof(type::field)),                                             \
        static_cast<uint16_t>(protocol::MINIMUM_##key), protocol::MAXIMUM_##key,               \
        protocol::INITIAL_##key                                                                \
  }

constexpr Row ROWS[] THISTLEBOT_FLASH = {
    THISTLEBOT_ROW(STEPS_PER_QUARTER, MotorSettings, steps_per_quarter),
    THISTLEBOT_ROW(RATE_STEPS_S, MotorSettings, rate_steps_s),
    THISTLEBOT_ROW(ACCELERATION_STEPS_S2, MotorSettings, acceleration_steps_s2),
    THISTLEBOT_ROW(DIRECTION, MotorSettings, direction),
    THISTLEBOT_ROW(DRIVER_ADDRESS, MotorSettings, driver_address),
    THISTLEBOT_ROW(DRIVER_CURRENT_MA, MotorSettings, driver_current_ma),
    THISTLEBOT_ROW(DRIVER_MODE, MotorSettings, driver_mode),
    THISTLEBOT_ROW(DRIVER_MICROSTEPS, MotorSettings, driver_microsteps),
    THISTLEBOT_ROW(STALL_THRESHOLD, MotorSettings, stall_threshold),
    THISTLEBOT_ROW(GAP_US, GlobalSettings, gap_us),
    THISTLEBOT_ROW(HOST_TIMEOUT_MS, GlobalSettings, host_timeout_ms),
    THISTLEBOT_ROW(IDLE_TIMEOUT_MS, GlobalSettings, idle_timeout_ms),
    THISTLEBOT_ROW(ENABLE_POLARITY, GlobalSettings, enable_polarity),
    THISTLEBOT_ROW(STALL_INPUT, GlobalSettings, stall_input),
    THISTLEBOT_ROW(ENABLE_SETTLE_MS, GlobalSettings, enable_settle_ms),
};
constexpr uint8_t ALL_ROWS = sizeof ROWS / sizeof ROWS[0];
constexpr uint8_t MOTOR_ROWS = 9;  // the first ones

Row read_row(uint8_t number) {
  Row row;
  read_flash(&row, ROWS + number, sizeof row);
  return row;
}

uint8_t motors_of(uint8_t row) { return row < MOTOR_ROWS ? MOTORS : 1; }

// OK if the key exists and belongs to this motor.
uint8_t look_up(uint8_t key, uint8_t motor, uint8_t& number, Row& row) {
  for (number = 0; number < ALL_ROWS; ++number) {
    row = read_row(number);
    if (row.key != key) continue;
    const bool fits = number < MOTOR_ROWS ? motor < MOTORS : motor == protocol::NO_MOTOR;
    return fits ? Settings::OK : static_cast<uint8_t>(Reason::OUT_OF_RANGE);
  }
  return static_cast<uint8_t>(Reason::UNKNOWN_KEY);
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
  for (uint8_t number = 0; number < ALL_ROWS; ++number) {
    const Row row = read_row(number);
    for (uint8_t motor = 0; motor < motors_of(number); ++motor) {
      place(number, motor).store(row.initial);
    }
  }
}

Settings::Place Settings::place(uint8_t number, uint8_t motor) {
  void* const owner = number < MOTOR_ROWS ? static_cast<void*>(&motors_[motor]) : &global_;
  const Row* const row = ROWS + number;
  return Place{static_cast<uint8_t*>(owner) + read_flash(&row->at), read_flash(&row->size)};
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

uint8_t Settings::set(uint8_t key, uint8_t motor, uint32_t value, bool& changed) {
  uint8_t number;
  Row row;
  const uint8_t outcome = look_up(key, motor, number, row);
  if (outcome != OK) return outcome;
  if (value < row.minimum || value > row.maximum) {
    return static_cast<uint8_t>(Reason::OUT_OF_RANGE);
  }
  const Place where = place(number, motor);
  changed = where.load() != value;
  where.store(value);
  return OK;
}

void Settings::write(uint8_t* to) {
  for (uint8_t number = 0; number < ALL_ROWS; ++number) {
    for (uint8_t motor = 0; motor < motors_of(number); ++motor) {
      const Place from = place(number, motor);
      to = put(to, from.load(), from.size);
    }
  }
}

bool Settings::read(const uint8_t* from) {
  for (uint8_t keep = 0; keep < 2; ++keep) {  // looks at all of it before it takes any
    const uint8_t* at = from;
    for (uint8_t number = 0; number < ALL_ROWS; ++number) {
      const Row row = read_row(number);
      for (uint8_t motor = 0; motor < motors_of(number); ++motor) {
        const uint32_t value = take(at, row.size);
        if (value < row.minimum || value > row.maximum) return false;
        if (keep != 0) place(number, motor).store(value);
      }
    }
  }
  return true;
}

}  // namespace thistlebot
