/* The record of what the board does: every edge of STEP, DIR and ENABLE, of servos and outputs. */
#ifndef THISTLEBOT_SIMULATOR_EDGES_H
#define THISTLEBOT_SIMULATOR_EDGES_H

#include <simavr/sim_avr.h>
#include <stdint.h>

/* Opens the file (NULL records nothing) and watches the pins of the board. */
void edges_begin(avr_t *avr, const char *path);

/* The chip was reset: its pins float, and the pull-up on ENABLE switches the drivers off. */
void edges_reset(avr_t *avr);

/* Writes a line; channel -1 is a pin for all motors. */
void edges_note(uint64_t cycle, int channel, const char *kind, long level);

void edges_flush(void);

/* As edges_flush, and says so in the file, with the time, for whoever waits for it. */
void edges_mark(avr_t *avr);
void edges_end(void);

/* Drives an input pin, now and whenever the port is written. */
void drive_input(avr_t *avr, char port, int bit, int level);

#endif
