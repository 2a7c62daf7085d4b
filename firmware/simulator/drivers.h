/* Drivers on the one-wire UARTs: they take datagrams, count them and answer. */
#ifndef THISTLEBOT_SIMULATOR_DRIVERS_H
#define THISTLEBOT_SIMULATOR_DRIVERS_H

#include <simavr/sim_avr.h>
#include <stdint.h>

#include "chip.h"

struct driver {
	const struct chip *chip; /* NULL while it has no power */
	uint8_t count;
	uint32_t registers[128];
};

void drivers_begin(avr_t *avr);

/* The chip was reset: data on a line is lost; the drivers keep their power. */
void drivers_reset(avr_t *avr);

/* Puts a driver on a line, with its registers as after power-up; false if the chip or line does not exist. */
int driver_power_up(avr_t *avr, const char *chip, long line, long address);

/* NULL while it has no power. */
const struct driver *driver_at(long line, long address);

#endif
