/* Compiled once for each board, with its header in front. */
#include "board_pins.h"

#define PIN_(port, bit) { #port[0], bit }
#define PIN(...) PIN_(__VA_ARGS__)
#define NUMBERED_PIN(number, port, bit) [number] = { #port[0], bit },
#define SERVO_PIN(number, port, bit, timer, unit) \
	[number] = { { #port[0], bit }, #timer[0], #unit[0] - 'A' },

#ifndef THISTLEBOT_STALL_PINS
#define THISTLEBOT_STALL_PINS(PIN)
#endif

static struct board_pins board = {
	.name = THISTLEBOT_BOARD_NAME,
	.mcu = THISTLEBOT_CHIP,
	.step = { THISTLEBOT_STEP_PINS(NUMBERED_PIN) },
	.dir = { THISTLEBOT_DIR_PINS(NUMBERED_PIN) },
	.enable = { THISTLEBOT_ENABLE_PINS(NUMBERED_PIN) },
	.estop = PIN(THISTLEBOT_ESTOP_PIN),
	.button = PIN(THISTLEBOT_BUTTON_PIN),
	.stall = PIN(THISTLEBOT_STALL_PIN),
	.stall_each = { THISTLEBOT_STALL_PINS(NUMBERED_PIN) },
	.servo = { THISTLEBOT_SERVOS(SERVO_PIN) },
	.output = { THISTLEBOT_OUTPUT_PINS(NUMBERED_PIN) },
	.switches = { THISTLEBOT_SWITCH_PINS(NUMBERED_PIN) },
	.driver_line = { THISTLEBOT_DRIVER_LINES(NUMBERED_PIN) },
};

__attribute__((constructor)) static void add(void)
{
	board_pins_add(&board);
}
