#include "driver_setup.h"

#include "../drivers/chip.h"

namespace thistlebot {

void DriverSetup::check(const Settings& settings) {
  waiting_ = 0;
  for (uint8_t channel = 0; channel < MOTORS; ++channel) {
    if (settings.motor(channel).driver_address != 0) {
      waiting_ = static_cast<uint8_t>(waiting_ | 1 << channel);
    }
  }
  failed_ = 0;
  begin_channel();
}

void DriverSetup::poll(const Settings& settings) {
  if (waiting_ == 0) return;
  uint8_t channel = 0;
  while ((waiting_ >> channel & 1) == 0) ++channel;
  const uint8_t bit = static_cast<uint8_t>(1 << channel);
  const MotorSettings& motor = settings.motor(channel);
  if (motor.driver_address == 0) {  // taken back meanwhile
    waiting_ = static_cast<uint8_t>(waiting_ & ~bit);
    begin_channel();
    return;
  }
  if (place_ != 0 && place_ <= driver_chip::REGISTERS) {
    driver_chip::write(static_cast<uint8_t>(place_ - 1), motor);
    ++place_;
    return;
  }
  uint8_t count = 0;
  const bool answered = driver_chip::ask(motor, count);
  const uint8_t taken = static_cast<uint8_t>(count - before_);
  if (answered && place_ == 0 && ((set_up_ & bit) == 0 || count != counts_[channel])) {
    before_ = count;
    place_ = 1;
    return;
  }
  if (answered && (place_ == 0 || taken == driver_chip::REGISTERS)) {
    counts_[channel] = count;
    set_up_ = static_cast<uint8_t>(set_up_ | bit);
  } else {
    place_ = 0;
    set_up_ = static_cast<uint8_t>(set_up_ & ~bit);
    if (++tries_ < TRIES) return;
    failed_ = static_cast<uint8_t>(failed_ | bit);
  }
  waiting_ = static_cast<uint8_t>(waiting_ & ~bit);
  begin_channel();
}

}  // namespace thistlebot
