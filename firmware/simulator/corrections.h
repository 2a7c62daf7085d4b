/* Corrections of simavr 1.6 besides the USART. */
#ifndef THISTLEBOT_SIMULATOR_CORRECTIONS_H
#define THISTLEBOT_SIMULATOR_CORRECTIONS_H

#include <simavr/sim_avr.h>
#include <stdint.h>

/* - Entering an interrupt takes 4 cycles (5 with a 22-bit program counter), not none.
 * - A compare value of 0 matches once a round of timer 1, not never.
 * - Writing a 1 to a timer's flag clears that flag, not all of them.
 * - Writing an EEPROM byte takes 3.4 ms, not 33 cycles. */
void corrections_begin(avr_t *avr);

/* The chip was reset: running timers of simavr are gone. */
void corrections_reset(avr_t *avr);

/* Longest time spent in each interrupt, entry and return included, as text on standard error. */
void print_interrupt_times(void);

#endif
