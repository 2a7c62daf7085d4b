/* The record of the board's signals, one line per edge. */
#ifndef THISTLEBOT_SIMULATOR_RECORD_H
#define THISTLEBOT_SIMULATOR_RECORD_H

#include <simavr/sim_avr.h>
#include <stdint.h>

/* Opens the file; NULL records nothing. */
void record_begin(avr_t *avr, const char *path);

/* Writes a line; channel -1 is a pin for all motors. */
void record_note(uint64_t cycle, int channel, const char *kind, long level);

void record_flush(void);

/* Like record_flush, with a line in the file that gives the time, for programs that wait for it. */
void record_mark(avr_t *avr);
void record_end(void);

#endif
