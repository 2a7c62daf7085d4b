// CRC-16/CCITT-FALSE, for packets and for the settings in EEPROM.
#pragma once

#include <stdint.h>

#include "messages.h"

namespace thistlebot {

// Takes one more byte into a checksum that began as protocol::CRC_INITIAL.
inline uint16_t crc16_update(uint16_t crc, uint8_t byte) {
  // The byte-wise form without a table, derived from polynomial 0x1021 = x^16 + x^12 + x^5 + 1.
  static_assert(protocol::CRC_POLYNOMIAL == 0x1021, "the shifts below are of another polynomial");
  uint8_t x = static_cast<uint8_t>((crc >> 8) ^ byte);
  x = static_cast<uint8_t>(x ^ (x >> 4));
  return static_cast<uint16_t>((crc << 8) ^ (static_cast<uint16_t>(x) << 12) ^
                               (static_cast<uint16_t>(x) << 5) ^ x);
}

inline uint16_t crc16(const uint8_t* data, uint16_t size) {
  uint16_t crc = protocol::CRC_INITIAL;
  while (size-- > 0) crc = crc16_update(crc, *data++);
  return crc;
}

}  // namespace thistlebot
