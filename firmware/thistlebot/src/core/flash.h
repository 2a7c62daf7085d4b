// Constant tables that stay in flash on an AVR and are plain memory elsewhere.
#pragma once

#include <stdint.h>

#if defined(__AVR__)
#include <avr/pgmspace.h>
#define THISTLEBOT_FLASH PROGMEM
#else
#define THISTLEBOT_FLASH
#endif

namespace thistlebot {

inline uint16_t read_flash(const uint16_t* from) {
#if defined(__AVR__)
  return pgm_read_word(from);
#else
  return *from;
#endif
}

}  // namespace thistlebot
