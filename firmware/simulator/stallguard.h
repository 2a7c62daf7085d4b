/* DIAG: what the drivers say of motors that do not follow, and the lines that it drives. */
#ifndef THISTLEBOT_SIMULATOR_STALLGUARD_H
#define THISTLEBOT_SIMULATOR_STALLGUARD_H

#include <simavr/sim_avr.h>

/* After drivers_begin. */
void stallguard_begin(avr_t *avr);

/* Drives the stall lines again, as after a reset. */
void stallguard_apply(avr_t *avr);

/* The driver of a motor is the one with this address. */
void stallguard_wire(long motor, long line, long address);

/* From now on something holds a motor, or no longer; false if there is no such motor. */
int stallguard_block(avr_t *avr, long motor, int blocked);

/* A stall is told whatever the drivers do: on a motor's own line, or (-1) on the one that all share;
 * false if there is no such line. */
int stallguard_tell(avr_t *avr, long motor, int stalled);

#endif
