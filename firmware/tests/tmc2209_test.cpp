// Drivers on UARTs: their registers, and that they are not written more often than needed.
#include "drivers/tmc2209.h"

#include "check.h"
#include "core/driver_setup.h"
#include "virtual_hardware.h"

namespace thistlebot {
namespace {

using protocol::Setting;

struct Bench : Fixture {
  Settings settings;
  DriverSetup setup{};

  void set(Setting key, uint8_t motor, uint32_t value) {
    bool changed = false;
    CHECK_EQUAL(settings.set(static_cast<uint8_t>(key), motor, value, changed), Settings::OK);
    if (changed) setup.changed(motor);
  }

  // Channels 0 and 5, on different lines.
  void two_drivers() {
    set(Setting::DRIVER_ADDRESS, 0, 3);
    set(Setting::DRIVER_ADDRESS, 5, 6);
    hardware.drivers[0][2].present = true;
    hardware.drivers[1][1].present = true;
  }

  long run() {
    const long before = hardware.exchanges;
    setup.check(settings);
    for (int i = 0; i < 200 && setup.busy(); ++i) setup.poll(settings);
    CHECK(!setup.busy());
    return hardware.exchanges - before;
  }
};

TEST(crc8_of_a_request_from_the_data_sheet) {
  const uint8_t request[] = {0x05, 0x00, 0x00};
  CHECK_EQUAL(tmc2209::crc8(request, 3), 0x48);
}

TEST(drivers_are_set_up_once) {
  Bench bench;
  CHECK_EQUAL(bench.run(), 0);  // none has a UART
  bench.two_drivers();
  CHECK_EQUAL(bench.run(), 2 * (tmc2209::REGISTERS + 2));
  CHECK_EQUAL(bench.setup.failed(), 0);
  CHECK_EQUAL(bench.run(), 2);  // only asked
  bench.set(Setting::STALL_THRESHOLD, 5, 60);
  CHECK_EQUAL(bench.run(), 1 + tmc2209::REGISTERS + 2);
  CHECK_EQUAL(bench.hardware.drivers[1][1].registers[0x40], 60);
  CHECK_EQUAL(bench.hardware.drivers[0][2].registers[0x40], 0);
}

TEST(a_driver_that_lost_its_power_is_set_up_again) {
  Bench bench;
  bench.two_drivers();
  bench.run();
  bench.hardware.drivers[0][2].taken = 0;
  bench.hardware.drivers[0][2].registers.clear();
  CHECK_EQUAL(bench.run(), 1 + tmc2209::REGISTERS + 2);
  CHECK_EQUAL(bench.hardware.drivers[0][2].registers.size(), tmc2209::REGISTERS);
}

TEST(a_datagram_that_is_lost_is_noticed) {
  Bench bench;
  bench.two_drivers();
  bench.run();
  bench.set(Setting::DRIVER_CURRENT_MA, 0, 1200);
  bench.hardware.drivers[0][2].deaf = 1;
  bench.run();
  CHECK_EQUAL(bench.setup.failed(), 0);
  CHECK_EQUAL(bench.hardware.drivers[0][2].registers[0x10] >> 8 & 31, 21);
}

TEST(a_driver_that_is_missing_is_told) {
  Bench bench;
  bench.two_drivers();
  bench.hardware.drivers[1][1].present = false;
  bench.run();
  CHECK_EQUAL(bench.setup.failed(), 1 << 5);
  bench.hardware.drivers[1][1].present = true;
  bench.run();
  CHECK_EQUAL(bench.setup.failed(), 0);
}

TEST(registers_follow_the_settings) {
  Bench bench;
  bench.two_drivers();
  bench.set(Setting::DRIVER_CURRENT_MA, 0, 900);
  bench.set(Setting::DRIVER_MODE, 0, 1);
  bench.set(Setting::DRIVER_MICROSTEPS, 0, 4);
  bench.set(Setting::RATE_STEPS_S, 5, 20000);
  bench.set(Setting::STALL_THRESHOLD, 5, 80);
  bench.run();
  auto& one = bench.hardware.drivers[0][2].registers;
  CHECK_EQUAL(one[0x00], 0x1C4);       // SpreadCycle, UART, microsteps from the register
  CHECK_EQUAL(one[0x6C], 0x14020053);  // 16 microsteps, fine sense
  CHECK_EQUAL(one[0x10], 28 << 8 | 14 | 1 << 16);  // 29 parts of 32 of 979 mA
  CHECK_EQUAL(one[0x14], 0);           // no stall is reported
  auto& other = bench.hardware.drivers[1][1].registers;
  CHECK_EQUAL(other[0x00], 0x1C0);
  CHECK_EQUAL(other[0x14], 75);        // 12 MHz / (5000 steps/s * 32 parts of a step)
  CHECK_EQUAL(other[0x40], 80);
}

}  // namespace
}  // namespace thistlebot
