// What survives in EEPROM: a number for each start, and the settings in two slots.
//
// The number comes from a ring of cells, so that no cell wears out. A settings record goes to the
// slot that does not hold the newest one, byte by byte, so that losing power leaves the other valid.
#pragma once

#include <stdint.h>

#include "out_of_line.h"
#include "settings.h"

namespace thistlebot {

class Store {
 public:
  static constexpr uint8_t RECORD_VERSION = 4;
  static constexpr uint8_t RECORD_SIZE = Settings::STORED_SIZE + 4;  // version, generation, CRC
  static constexpr uint8_t BOOT_CELLS = 16;
  static constexpr uint16_t SLOT_ADDRESS[2] = {64, 192};
  static constexpr uint16_t SETTLE_MS = 1000;  // a host sets many values in a row

  // Counts this start, and reads the newest intact settings; false if there are none.
  THISTLEBOT_OUT_OF_LINE bool begin(Settings& settings);
  uint16_t boot_id() const { return boot_id_; }

  void settings_changed(uint32_t now_ms);
  // Writes at most one byte. Not called while the motors turn.
  void poll(Settings& settings, uint32_t now_ms);
  bool busy() const { return boot_bytes_left_ > 0 || changed_; }

 private:
  void begin_boot_id();
  THISTLEBOT_OUT_OF_LINE static bool load_slot(uint8_t slot, uint8_t* record);
  THISTLEBOT_OUT_OF_LINE void write_byte(Settings& settings);

  uint16_t boot_id_;
  uint8_t boot_cell_;
  uint8_t boot_bytes_left_;
  uint8_t generation_;
  uint8_t slot_;  // where the next record goes
  bool changed_;
  uint8_t position_;
  uint32_t changed_ms_;
};

}  // namespace thistlebot
