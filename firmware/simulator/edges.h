/* The pins of the board: every edge of STEP, DIR, ENABLE and outputs is recorded, inputs are driven. */
#ifndef THISTLEBOT_SIMULATOR_EDGES_H
#define THISTLEBOT_SIMULATOR_EDGES_H

#include <simavr/sim_avr.h>

/* Watches the pins of the board; the record is open. */
void edges_begin(avr_t *avr);

/* The chip was reset: its pins float, and the pull-up on ENABLE switches the drivers off. */
void edges_reset(avr_t *avr);

/* Drives an input pin, now and whenever the port is written. */
void drive_input(avr_t *avr, char port, int bit, int level);

#endif
