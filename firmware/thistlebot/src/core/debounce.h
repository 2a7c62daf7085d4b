// A push button that bounces: pressed counts once, after it stayed down for a while.
#pragma once

#include <stdint.h>

namespace thistlebot {

class Debounce {
 public:
  static constexpr uint8_t STEADY_MS = 20;

  // Takes one sample a millisecond; true once for each press.
  bool sample(bool down) {
    if (down == down_) {
      steady_ms_ = 0;
      return false;
    }
    if (++steady_ms_ < STEADY_MS) return false;
    steady_ms_ = 0;
    down_ = down;
    return down_;
  }

  bool down() const { return down_; }

 private:
  bool down_;
  uint8_t steady_ms_;
};

}  // namespace thistlebot
