/* The pins of the simulated board, from the firmware's own board headers. */
#ifndef THISTLEBOT_SIMULATOR_BOARD_PINS_H
#define THISTLEBOT_SIMULATOR_BOARD_PINS_H

#define MOTORS 6

struct pin {
	char port;
	int bit;
};

struct board_pins {
	struct pin step[MOTORS];
	struct pin dir[MOTORS];
	struct pin enable;
	struct pin estop;
	struct pin button;
	struct pin stall;
	struct pin stall_each[MOTORS]; /* port 0: the board has none */
};

/* Chooses the board that carries this chip; false if Thistlebot has none. Call it first. */
int board_pins_choose(const char *mcu);

const struct board_pins *board_pins(void);

#endif
