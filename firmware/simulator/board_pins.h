/* The pins of the simulated board, from the firmware's own board headers. */
#ifndef THISTLEBOT_SIMULATOR_BOARD_PINS_H
#define THISTLEBOT_SIMULATOR_BOARD_PINS_H

#define MOTORS 6
#define SERVOS 6
#define OUTPUTS 6
#define SWITCHES 6
#define DRIVER_LINES 2

struct pin {
	char port; /* 0: the board has none */
	int bit;
};

struct servo_pin {
	struct pin pin;
	char timer; /* its number, as a letter */
	int unit;   /* compare unit: 0 is A */
};

struct board_pins {
	const char *name;
	const char *mcu;
	struct pin step[MOTORS];
	struct pin dir[MOTORS];
	struct pin enable[MOTORS]; /* one for all, or one each */
	struct pin estop;
	struct pin button;
	struct pin stall;
	struct pin stall_each[MOTORS];
	struct servo_pin servo[SERVOS];
	struct pin output[OUTPUTS];
	struct pin switches[SWITCHES];
	struct pin driver_line[DRIVER_LINES];
	struct board_pins *next;
};

/* Each board makes itself known before main begins. */
void board_pins_add(struct board_pins *board);

/* Chooses a board by its name; false if there is none. Call it first. */
int board_pins_choose(const char *name);

/* The plain Arduino with this chip; NULL if Thistlebot knows none. */
const char *board_of_mcu(const char *mcu);

const struct board_pins *board_pins(void);

#endif
