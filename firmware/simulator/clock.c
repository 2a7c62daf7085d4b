#include "clock.h"

static uint64_t base;
static avr_cycle_count_t latest;

uint64_t clock_now(avr_t *avr)
{
	if (avr->cycle < latest)
		base += latest;
	latest = avr->cycle;
	return base + avr->cycle;
}
