#include "board_pins.h"

#include <stddef.h>
#include <string.h>

#include "../thistlebot/src/boards/mega.h"
#include "../thistlebot/src/boards/uno.h"

#define PIN_(port, bit) { #port[0], bit }
#define PIN(...) PIN_(__VA_ARGS__)
#define MOTOR_PIN(channel, port, bit) [channel] = { #port[0], bit },

static const struct board_pins uno = {
	.step = { THISTLEBOT_UNO_STEP_PINS(MOTOR_PIN) },
	.dir = { THISTLEBOT_UNO_DIR_PINS(MOTOR_PIN) },
	.enable = PIN(THISTLEBOT_UNO_ENABLE_PIN),
	.estop = PIN(THISTLEBOT_UNO_ESTOP_PIN),
	.button = PIN(THISTLEBOT_UNO_BUTTON_PIN),
	.stall = PIN(THISTLEBOT_UNO_STALL_PIN),
};

static const struct board_pins mega = {
	.step = { THISTLEBOT_MEGA_STEP_PINS(MOTOR_PIN) },
	.dir = { THISTLEBOT_MEGA_DIR_PINS(MOTOR_PIN) },
	.enable = PIN(THISTLEBOT_MEGA_ENABLE_PIN),
	.estop = PIN(THISTLEBOT_MEGA_ESTOP_PIN),
	.button = PIN(THISTLEBOT_MEGA_BUTTON_PIN),
	.stall = PIN(THISTLEBOT_MEGA_STALL_PIN),
	.stall_each = { THISTLEBOT_MEGA_STALL_PINS(MOTOR_PIN) },
};

static const struct board_pins *chosen;

int board_pins_choose(const char *mcu)
{
	/* simavr's own name of the chip is not always the one it was asked for. */
	if (strcmp(mcu, "atmega328p") == 0)
		chosen = &uno;
	if (strcmp(mcu, "atmega2560") == 0)
		chosen = &mega;
	return chosen != NULL;
}

const struct board_pins *board_pins(void)
{
	return chosen;
}
