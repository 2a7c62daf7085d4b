// Constant tables that stay in flash on an AVR and are plain memory elsewhere.
#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__AVR__)
#include <avr/pgmspace.h>
#define THISTLEBOT_FLASH PROGMEM
#else
#define THISTLEBOT_FLASH
#endif

namespace thistlebot {

// Copies what a table holds.
inline void read_flash(void* to, const void* from, uint8_t size) {
#if defined(__AVR__)
  memcpy_P(to, from, size);
#else
  memcpy(to, from, size);
#endif
}

inline uint8_t read_flash(const uint8_t* from) {
#if defined(__AVR__)
  return pgm_read_byte(from);
#else
  return *from;
#endif
}

inline uint16_t read_flash(const uint16_t* from) {
#if defined(__AVR__)
  return pgm_read_word(from);
#else
  return *from;
#endif
}

}  // namespace thistlebot
