#include "servos.h"

#include "hardware.h"

namespace thistlebot {

void Servos::put(uint8_t servo, uint16_t pulse_us) {
  servos_[servo].at = pulse_us;
  hardware::servo_pulse(servo, pulse_us);
}

void Servos::aim(uint8_t servo, uint16_t pulse_us, uint8_t speed) {
  Servo& of = servos_[servo];
  of.target = pulse_us;
  of.speed = speed;
  of.pace = 0;
  if (of.at == 0 || pulse_us == 0) put(servo, pulse_us);
}

void Servos::hold(uint8_t servo) { servos_[servo].target = servos_[servo].at; }

void Servos::hold_all() {
  for (uint8_t servo = 0; servo < MOST; ++servo) hold(servo);
}

void Servos::release_all() {
  for (uint8_t servo = 0; servo < hardware::servo_count(); ++servo) aim(servo, 0, 0);
}

uint8_t Servos::with_pulses() const {
  uint8_t bits = 0;
  for (uint8_t servo = 0; servo < MOST; ++servo) {
    if (servos_[servo].at != 0) bits = static_cast<uint8_t>(bits | 1 << servo);
  }
  return bits;
}

// The speed grows by a quarter of its limit each frame, and falls in the same way before the end.
uint8_t Servos::next_pace(const Servo& servo, uint16_t distance) {
  const uint8_t rise = static_cast<uint8_t>(servo.speed / 4 + 1);
  const uint16_t faster = static_cast<uint16_t>(servo.pace + rise);
  uint8_t pace = faster < servo.speed ? static_cast<uint8_t>(faster) : servo.speed;
  for (;; pace = static_cast<uint8_t>(pace - rise)) {
    uint16_t way = 0;
    for (uint8_t each = pace; each > 0; each = each > rise ? static_cast<uint8_t>(each - rise) : 0) {
      way = static_cast<uint16_t>(way + each);
    }
    if (way <= distance || pace <= rise) return pace;
  }
}

void Servos::frame() {
  for (uint8_t servo = 0; servo < MOST; ++servo) {
    Servo& of = servos_[servo];
    if (of.at == of.target) continue;
    const bool up = of.at < of.target;
    uint16_t step = static_cast<uint16_t>(up ? of.target - of.at : of.at - of.target);
    if (of.speed != 0) {
      of.pace = next_pace(of, step);
      if (of.pace < step) step = of.pace;
    }
    put(servo, static_cast<uint16_t>(up ? of.at + step : of.at - step));
  }
}

}  // namespace thistlebot
