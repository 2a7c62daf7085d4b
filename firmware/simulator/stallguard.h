/* DIAG: the drivers' signal that a motor does not follow, and the lines that it drives. */
#ifndef THISTLEBOT_SIMULATOR_STALLGUARD_H
#define THISTLEBOT_SIMULATOR_STALLGUARD_H

#include <simavr/sim_avr.h>

/* After drivers_begin. */
void stallguard_begin(avr_t *avr);

/* Drives the stall lines again, as after a reset. */
void stallguard_apply(avr_t *avr);

/* The driver of a motor is the one with this address. */
void stallguard_wire(long motor, long line, long address);

/* Blocks or releases a motor from now on; false if the motor does not exist. */
int stallguard_block(avr_t *avr, long motor, int blocked);

/* Signals a stall whatever the drivers do: on a motor's own line, or (-1) on the shared one;
 * false if the line does not exist. */
int stallguard_tell(avr_t *avr, long motor, int stalled);

#endif
