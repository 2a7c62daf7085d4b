/* The file that tells what the board does, a line for each edge. */
#ifndef THISTLEBOT_SIMULATOR_RECORD_H
#define THISTLEBOT_SIMULATOR_RECORD_H

#include <simavr/sim_avr.h>
#include <stdint.h>

/* Opens the file; NULL records nothing. */
void record_begin(avr_t *avr, const char *path);

/* Writes a line; channel -1 is a pin for all motors. */
void record_note(uint64_t cycle, int channel, const char *kind, long level);

void record_flush(void);

/* As record_flush, and says so in the file, with the time, for whoever waits for it. */
void record_mark(avr_t *avr);
void record_end(void);

#endif
