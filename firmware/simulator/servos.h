/* The pulses of the servos: the effect of the chip's timers on their pins.
 *
 * simavr raises a pin's level when a port is written, though a timer owns the pin, and it knows no PWM
 * with a top of its own. */
#ifndef THISTLEBOT_SIMULATOR_SERVOS_H
#define THISTLEBOT_SIMULATOR_SERVOS_H

#include <simavr/sim_avr.h>

#include "board_pins.h"

/* After edges_begin. */
void servos_begin(avr_t *avr);
void servos_reset(avr_t *avr);

/* Does a timer own the pin at this moment? */
int servos_own(avr_t *avr, struct pin pin);

#endif
