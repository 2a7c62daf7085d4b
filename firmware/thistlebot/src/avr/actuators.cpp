// Servos, outputs and switches on an AVR: none yet.
#include "../core/hardware.h"

namespace thistlebot {
namespace hardware {

uint8_t servo_count() { return 0; }
void servo_pulse(uint8_t, uint16_t) {}
bool servo_frame() { return false; }
uint8_t output_count() { return 0; }
void output(uint8_t, bool) {}
uint8_t switch_count() { return 0; }
bool switch_closed(uint8_t) { return false; }

}  // namespace hardware
}  // namespace thistlebot
