#include "core/store.h"

#include <random>

#include "check.h"
#include "core/messages.h"
#include "virtual_hardware.h"

namespace thistlebot {
namespace {

using protocol::Reason;
using protocol::Setting;

uint8_t set(Settings& settings, Setting key, uint8_t motor, uint32_t value) {
  bool changed = false;
  return settings.set(static_cast<uint8_t>(key), motor, value, changed);
}

void save(Store& store, Settings& settings) {
  store.settings_changed(1000);
  for (uint32_t ms = 2000; store.busy() && ms < 3000; ++ms) store.poll(settings, ms);
}

TEST(settings_survive_a_restart) {
  Fixture board;
  {
    Settings settings;
    Store store{};
    store.begin(settings);
    set(settings, Setting::STEPS_PER_QUARTER, 2, 800);
    set(settings, Setting::GAP_US, protocol::NO_MOTOR, 77);
    save(store, settings);
    set(settings, Setting::ACCELERATION_STEPS_S2, 5, 1234567);
    save(store, settings);
  }
  Settings settings;
  Store store{};
  store.begin(settings);
  CHECK_EQUAL(settings.motor(2).steps_per_quarter, 800);
  CHECK_EQUAL(settings.common().gap_us, 77);
  CHECK_EQUAL(settings.motor(5).acceleration_steps_s2, 1234567);
  CHECK_EQUAL(settings.motor(1).steps_per_quarter, protocol::INITIAL_STEPS_PER_QUARTER);
}

TEST(a_power_loss_leaves_the_old_settings_or_the_new) {
  for (long stores = 0; stores <= Store::RECORD_SIZE + 2; ++stores) {
    Fixture board;
    {
      Settings settings;
      Store store{};
      store.begin(settings);
      set(settings, Setting::GAP_US, protocol::NO_MOTOR, 111);
      save(store, settings);
      set(settings, Setting::GAP_US, protocol::NO_MOTOR, 222);
      set(settings, Setting::RATE_STEPS_S, 0, 9999);
      board.hardware.stores_until_power_loss = stores;
      save(store, settings);
    }
    board.hardware.stores_until_power_loss = -1;
    Settings settings;
    Store store{};
    store.begin(settings);
    const uint32_t gap = settings.common().gap_us;
    const uint32_t rate = settings.motor(0).rate_steps_s;
    CHECK((gap == 111 && rate == protocol::INITIAL_RATE_STEPS_S) || (gap == 222 && rate == 9999));
    if (stores == 0) CHECK_EQUAL(gap, 111);
    if (stores >= Store::RECORD_SIZE) CHECK_EQUAL(gap, 222);
  }
}

TEST(damaged_records_fall_back_to_the_other_slot_or_to_defaults) {
  std::mt19937 random(21);
  for (int i = 0; i < 300; ++i) {
    Fixture board;
    Settings settings;
    Store store{};
    store.begin(settings);
    set(settings, Setting::GAP_US, protocol::NO_MOTOR, 111);
    save(store, settings);
    for (uint16_t address = 64; address < 192; ++address) {
      if (random() % 4 == 0) board.hardware.eeprom[address] = static_cast<uint8_t>(random());
    }
    Settings after;
    Store again;
    again.begin(after);
    const uint32_t gap = after.common().gap_us;
    CHECK(gap == 111 || gap == protocol::INITIAL_GAP_US);
  }
}

TEST(every_start_has_another_number) {
  Fixture board;
  uint16_t before = 0;
  for (int i = 0; i < 200; ++i) {
    Settings settings;
    Store store{};
    store.begin(settings);
    if (i > 0) CHECK_EQUAL(store.boot_id(), static_cast<uint16_t>(before + 1));
    before = store.boot_id();
    for (int k = 0; k < 4; ++k) store.poll(settings, 0);
    CHECK(!store.busy());
  }
}

}  // namespace
}  // namespace thistlebot
