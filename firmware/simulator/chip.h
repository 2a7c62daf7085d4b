/* A chip of stepper drivers: one file for each, which registers it before main begins. */
#ifndef THISTLEBOT_SIMULATOR_CHIP_H
#define THISTLEBOT_SIMULATOR_CHIP_H

#include <simavr/sim_avr.h>
#include <stdint.h>

struct chip {
	const char *name;
	int addresses; /* that its pins can choose */
	/* Sets registers, which are zeros, to what they are after power-up. */
	void (*power_up)(avr_t *avr, uint32_t *registers);
	/* Pulses of a full step. */
	int (*pulses)(const uint32_t *registers, long address);
	/* Cycles between two pulses up to which it looks for a stall; 0 if it does not while they are
	 * `interval` apart. */
	double (*looks)(const uint32_t *registers, long address, uint64_t interval);
	struct chip *next;
};

void chip_add(struct chip *chip);

#endif
