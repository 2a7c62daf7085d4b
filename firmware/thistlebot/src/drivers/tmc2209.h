// The TMC2209 on its one-wire UART: data sheet, sections 4 and 5.
#pragma once

#include <stdint.h>

#include "../core/hardware.h"
#include "../core/settings.h"

namespace thistlebot {
namespace tmc2209 {

constexpr uint8_t SYNC = 0x05;
constexpr uint8_t MASTER = 0xFF;  // to whom a driver answers
constexpr uint8_t WRITE = 0x80;
constexpr uint8_t READ_SIZE = 4;
constexpr uint8_t WRITE_SIZE = 8;  // and of the answer to a read request

constexpr uint8_t GCONF = 0x00;
constexpr uint8_t IFCNT = 0x02;
constexpr uint8_t IHOLD_IRUN = 0x10;
constexpr uint8_t TPOWERDOWN = 0x11;
constexpr uint8_t TPWMTHRS = 0x13;
constexpr uint8_t TCOOLTHRS = 0x14;
constexpr uint8_t SGTHRS = 0x40;
constexpr uint8_t COOLCONF = 0x42;
constexpr uint8_t CHOPCONF = 0x6C;

// GCONF: UART instead of the pin PDN, microsteps from the register, step pulses filtered.
constexpr uint16_t UART_AND_MICROSTEPS = 0x1C0;
constexpr uint8_t SPREAD_CYCLE = 1 << 2;
// CHOPCONF after a reset: interpolation, TOFF 3, HSTRT 5.
constexpr uint32_t CHOPPER = 0x10000053;
constexpr uint32_t FINE_SENSE = 1UL << 17;
// Full current for 5.6 s after the last step: neighbouring faces pull at a resting motor.
constexpr uint8_t LONG = 255;
// Effective current with 0.11 ohm and all 32 parts, in mA: 0.325 V or 0.18 V across 0.13 ohm.
constexpr uint16_t MOST_MA = 1768;
constexpr uint16_t MOST_FINE_MA = 979;
// Counts of 12 MHz from one 256th of a step to the next, at a quarter of the rate: below that speed
// StallGuard sees nothing.
constexpr uint32_t STALL_COUNTS = 12000000UL / 256 * 4;
constexpr uint32_t LONGEST_COUNT = 0xFFFFF;

constexpr uint8_t LIST[] = {GCONF,    CHOPCONF,  IHOLD_IRUN, TPOWERDOWN,
                            TPWMTHRS, TCOOLTHRS, SGTHRS,     COOLCONF};
constexpr uint8_t REGISTERS = sizeof LIST;

inline bool fine(const MotorSettings& motor) { return motor.driver_current_ma <= MOST_FINE_MA; }

inline uint8_t current_parts(const MotorSettings& motor) {
  const uint16_t most = fine(motor) ? MOST_FINE_MA : MOST_MA;
  const uint32_t parts = (static_cast<uint32_t>(motor.driver_current_ma) * 32 + most / 2) / most;
  return static_cast<uint8_t>(parts < 1 ? 0 : parts > 32 ? 31 : parts - 1);
}

inline uint8_t crc8(const uint8_t* bytes, uint8_t size) {
  uint8_t crc = 0;
  while (size-- != 0) {
    uint8_t byte = *bytes++;
    for (uint8_t bit = 0; bit < 8; ++bit) {
      const bool feed = ((crc >> 7) ^ (byte & 1)) != 0;
      crc = static_cast<uint8_t>(crc << 1);
      if (feed) crc ^= 0x07;
      byte >>= 1;
    }
  }
  return crc;
}

inline uint32_t value_of(uint8_t which, const MotorSettings& motor) {
  switch (which) {
    case GCONF: return UART_AND_MICROSTEPS | (motor.driver_mode != 0 ? SPREAD_CYCLE : 0);
    case CHOPCONF:
      return CHOPPER | static_cast<uint32_t>(8 - motor.driver_microsteps) << 24 |
             (fine(motor) ? FINE_SENSE : 0);
    case IHOLD_IRUN: {
      const uint8_t run = current_parts(motor);
      return static_cast<uint32_t>(run / 2) | static_cast<uint16_t>(run << 8) | 1UL << 16;
    }
    case TPOWERDOWN: return LONG;
    case TCOOLTHRS: {
      if (motor.stall_threshold == 0) return 0;
      const uint32_t counts = (STALL_COUNTS << motor.driver_microsteps) / motor.rate_steps_s;
      return counts < LONGEST_COUNT ? counts : LONGEST_COUNT;
    }
    case SGTHRS: return motor.stall_threshold;
    default: return 0;  // TPWMTHRS: one mode at all speeds; COOLCONF: no current saving
  }
}

inline void send(uint8_t address, uint8_t which, uint32_t value) {
  uint8_t request[WRITE_SIZE] = {SYNC, static_cast<uint8_t>((address - 1) % 4),
                                 static_cast<uint8_t>(which | WRITE)};
  for (uint8_t i = 0; i < 4; ++i) {
    request[6 - i] = static_cast<uint8_t>(value);
    value >>= 8;
  }
  request[7] = crc8(request, 7);
  hardware::driver_exchange(static_cast<uint8_t>((address - 1) / 4), request, WRITE_SIZE, nullptr, 0);
}

inline void write(uint8_t place, const MotorSettings& motor) {
  send(motor.driver_address, LIST[place], value_of(LIST[place], motor));
}

inline bool ask(const MotorSettings& motor, uint8_t& taken) {
  const uint8_t at = static_cast<uint8_t>(motor.driver_address - 1);
  uint8_t request[READ_SIZE] = {SYNC, static_cast<uint8_t>(at % 4), IFCNT};
  request[3] = crc8(request, 3);
  uint8_t answer[WRITE_SIZE];
  if (!hardware::driver_exchange(at / 4, request, READ_SIZE, answer, WRITE_SIZE)) return false;
  taken = answer[6];
  return answer[0] == SYNC && answer[1] == MASTER && answer[2] == IFCNT &&
         answer[7] == crc8(answer, 7);
}

}  // namespace tmc2209
}  // namespace thistlebot
