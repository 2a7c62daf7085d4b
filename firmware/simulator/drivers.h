/* TMC2209 drivers on the one-wire UARTs: they take datagrams, count them and answer. */
#ifndef THISTLEBOT_SIMULATOR_DRIVERS_H
#define THISTLEBOT_SIMULATOR_DRIVERS_H

#include <simavr/sim_avr.h>
#include <stdint.h>

void drivers_begin(avr_t *avr);

/* The chip was reset: what was on a line is lost; the drivers keep their power. */
void drivers_reset(avr_t *avr);

/* Puts a driver on a line, with its registers as after power-up; false if there is no such line. */
int driver_power_up(avr_t *avr, long line, long address);

/* Its registers, or NULL while it has no power. */
const uint32_t *driver_registers(long line, long address);

#endif
