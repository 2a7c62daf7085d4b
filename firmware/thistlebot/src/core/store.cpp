#include "store.h"

#include "crc16.h"
#include "hardware.h"

namespace thistlebot {

constexpr uint16_t Store::SLOT_ADDRESS[2];

namespace {

constexpr uint8_t BODY_SIZE = Store::RECORD_SIZE - 2;

uint16_t load_cell(uint8_t cell) {
  const uint16_t address = static_cast<uint16_t>(2 * cell);
  return static_cast<uint16_t>(hardware::load(address) |
                               hardware::load(static_cast<uint16_t>(address + 1)) << 8);
}

}  // namespace

bool Store::begin(Settings& settings) {
  begin_boot_id();
  uint8_t record[RECORD_SIZE];
  bool found = false;
  for (uint8_t slot = 0; slot < 2; ++slot) {
    if (!load_slot(slot, record)) continue;
    const uint8_t generation = record[1];
    const bool newer = static_cast<int8_t>(generation - generation_) > 0;
    if (found && !newer) continue;
    if (!settings.read(record + 2)) continue;
    found = true;
    generation_ = generation;
    slot_ = static_cast<uint8_t>(1 - slot);
  }
  return found;
}

void Store::begin_boot_id() {
  // The newest cell is the one after which the count breaks off.
  uint8_t newest = 0;
  uint16_t value = load_cell(0);
  while (newest + 1 < BOOT_CELLS &&
         load_cell(static_cast<uint8_t>(newest + 1)) == static_cast<uint16_t>(value + 1)) {
    ++newest;
    ++value;
  }
  boot_id_ = static_cast<uint16_t>(value + 1);
  boot_cell_ = static_cast<uint8_t>((newest + 1) % BOOT_CELLS);
  boot_bytes_left_ = 2;
}

bool Store::load_slot(uint8_t slot, uint8_t* record) {
  for (uint8_t i = 0; i < RECORD_SIZE; ++i) {
    record[i] = hardware::load(static_cast<uint16_t>(SLOT_ADDRESS[slot] + i));
  }
  return record[0] == RECORD_VERSION &&
         crc16(record, BODY_SIZE) == protocol::read_u16(record + BODY_SIZE);
}

void Store::settings_changed(uint32_t now_ms) {
  changed_ = true;
  changed_ms_ = now_ms;
  position_ = 0;  // a record half written never becomes valid: its CRC comes last
}

void Store::poll(Settings& settings, uint32_t now_ms) {
  if (!hardware::storage_ready()) return;
  if (boot_bytes_left_ > 0) {
    const uint8_t byte = static_cast<uint8_t>(2 - boot_bytes_left_);
    hardware::store(static_cast<uint16_t>(2 * boot_cell_ + byte),
                    static_cast<uint8_t>(byte == 0 ? boot_id_ : boot_id_ >> 8));
    --boot_bytes_left_;
    return;
  }
  if (!changed_ || now_ms - changed_ms_ < SETTLE_MS) return;
  write_byte(settings);
}

void Store::write_byte(Settings& settings) {
  // The record is built again for each byte: 71 bytes of RAM are worth more than this time at rest.
  uint8_t record[RECORD_SIZE];
  record[0] = RECORD_VERSION;
  record[1] = static_cast<uint8_t>(generation_ + 1);
  settings.write(record + 2);
  protocol::write_u16(record + BODY_SIZE, crc16(record, BODY_SIZE));
  const uint16_t address = static_cast<uint16_t>(SLOT_ADDRESS[slot_] + position_);
  if (hardware::load(address) != record[position_]) hardware::store(address, record[position_]);
  if (++position_ < RECORD_SIZE) return;
  changed_ = false;
  position_ = 0;
  ++generation_;
  slot_ = static_cast<uint8_t>(1 - slot_);
}

}  // namespace thistlebot
