// Used by tests/firmware/test_one_board.py, which compares the core with the virtual board. Commands:
//   start         a new board, at 0 ms
//   wait MS       lets time pass; answers with the packets from the board, then a dot
//   send HEX      bytes from the host
//   estop 0|1     releases or presses the emergency stop
//   state         answers with the position of each motor, the pulse of each servo, and the outputs
#include "talk.h"

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "board_bench.h"

namespace thistlebot {
namespace {

Bytes bytes_of(const std::string& hex) {
  Bytes bytes;
  for (size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

void print(const Bench& bench) {
  for (const Received& received : bench.heard) {
    std::printf("%02x", received.type);
    for (const uint8_t byte : received.payload) std::printf("%02x", byte);
    std::printf("\n");
  }
  std::printf(".\n");
  std::fflush(stdout);
}

void print_state(const Bench& bench) {
  for (uint8_t motor = 0; motor < MOTORS; ++motor) std::printf("%ld ", bench.position(motor));
  for (const uint16_t us : bench.hardware.pulse_us) std::printf("%u ", us);
  for (const bool on : bench.hardware.outputs) std::printf("%d ", on ? 1 : 0);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int talk() {
  std::unique_ptr<Bench> bench;
  std::string command;
  std::string what;
  while (std::cin >> command) {
    if (command == "start") {
      bench.reset();
      bench.reset(new Bench);
      continue;
    }
    if (command == "state") {
      print_state(*bench);
      continue;
    }
    std::cin >> what;
    if (command == "send") {
      bench->send_bytes(bytes_of(what));
    } else if (command == "estop") {
      bench->hardware.estop_open = what == "1";
      if (what == "1") bench->board.on_estop();
    } else {
      bench->forget();
      bench->wait_ms(static_cast<uint32_t>(std::stoi(what)));
      print(*bench);
    }
  }
  return 0;
}

}  // namespace thistlebot
