// The firmware's version, reported in HELLO_REPLY.
#pragma once

#include <stdint.h>

namespace thistlebot {

constexpr uint8_t VERSION_MAJOR = 4;
constexpr uint8_t VERSION_MINOR = 0;
constexpr uint8_t VERSION_PATCH = 0;

}  // namespace thistlebot
