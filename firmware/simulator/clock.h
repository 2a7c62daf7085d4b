/* Simulated time that never runs backwards: the simulated chip counts from zero again after a reset. */
#ifndef THISTLEBOT_SIMULATOR_CLOCK_H
#define THISTLEBOT_SIMULATOR_CLOCK_H

#include <simavr/sim_avr.h>
#include <stdint.h>

#define CYCLES_PER_MS 16000ULL

/* Cycles since the simulator started. */
uint64_t clock_now(avr_t *avr);

#endif
