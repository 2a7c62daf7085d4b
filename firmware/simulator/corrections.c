#include "corrections.h"

#include <inttypes.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_timer.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

enum { EECR = 0x3F, EEPE = 1 << 1, EEMPE = 1 << 2 };
enum { TIFR0 = 0x35, TIFRS = 6 };
enum { WIDE = 1 }; /* 16 bits */
#define EEPROM_WRITE_CYCLES (34 * CYCLES_PER_MS / 10)
#define VECTORS 64

/* ------------------------------------------------------------------------- interrupt entry */

struct interrupt_time {
	avr_t *avr;
	uint64_t entered;
	uint64_t longest;
	uint64_t total;
	uint64_t count;
};

static struct interrupt_time times[VECTORS];

static void on_interrupt(struct avr_irq_t *irq, uint32_t running, void *param)
{
	struct interrupt_time *time = param;
	avr_t *avr = time->avr;

	(void)irq;
	if (running) {
		time->entered = clock_now(avr);
		avr->cycle += avr->address_size == 3 ? 5 : 4;
	} else if (time->entered) {
		/* The return instruction has not been counted yet. */
		const uint64_t taken = clock_now(avr) + (avr->address_size == 3 ? 5 : 4) - time->entered;
		time->entered = 0;
		time->count++;
		time->total += taken;
		if (taken > time->longest)
			time->longest = taken;
	}
}

static void count_interrupt_entry(avr_t *avr)
{
	for (int vector = 1; vector < VECTORS; vector++) {
		avr_irq_t *irq = avr_get_interrupt_irq(avr, vector);
		if (!irq)
			continue;
		times[vector].avr = avr;
		avr_irq_register_notify(irq + AVR_INT_IRQ_RUNNING, on_interrupt, &times[vector]);
	}
}

void print_interrupt_times(void)
{
	for (int vector = 1; vector < VECTORS; vector++) {
		const struct interrupt_time *time = &times[vector];
		if (time->count)
			fprintf(stderr, "vector %2d: %9" PRIu64 " times, mean %6.1f, longest %5" PRIu64 " cycles\n",
				vector, time->count, (double)time->total / (double)time->count, time->longest);
	}
}

/* ------------------------------------------------------------------ compare values close to zero */

/* A value of 0 never matches in simavr, and those just above it do not when the instruction under way
 * ends after their match, because the round only restarts then. */
enum { SMALL = 5, LATEST = 4 };

struct compare {
	avr_io_addr_t addr;
	int wide;
	int written; /* since the start: what is 0 now was a time, and has been matched */
	avr_t *avr;
	avr_io_write_t write;
	avr_timer_comp_t *unit;
	avr_cycle_count_t matched;
};

/* Of the lanes, and of the servos of timer 0: OCR0A, OCR0B, OCR1A, OCR1B, OCR3A, OCR3B, OCR5A, OCR5B. */
static struct compare compares[] = {
	{ .addr = 0x47 },		 { .addr = 0x48 },
	{ .addr = 0x88, .wide = WIDE },	 { .addr = 0x8A, .wide = WIDE },
	{ .addr = 0x98, .wide = WIDE },	 { .addr = 0x9A, .wide = WIDE },
	{ .addr = 0x128, .wide = WIDE }, { .addr = 0x12A, .wide = WIDE },
};

static avr_cycle_count_t match_zero(avr_t *avr, avr_cycle_count_t when, void *param)
{
	struct compare *compare = param;
	avr_timer_t *timer = compare->unit->timer;
	const uint8_t mode = avr_regbit_get(avr, compare->unit->com);

	if (avr->cycle - compare->matched > 2 * SMALL + LATEST) {
		avr_raise_interrupt(avr, &compare->unit->interrupt);
		if (mode == avr_timer_com_set || mode == avr_timer_com_clear)
			avr_raise_irq(timer->io.irq + TIMER_IRQ_OUT_COMP + (compare->unit - timer->comp),
				      mode == avr_timer_com_set);
	}
	return timer->tov_cycles ? when + timer->tov_cycles : 0;
}

static void note_match(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct compare *compare = param;

	(void)irq;
	if (value)
		compare->matched = compare->avr->cycle;
}

static void write_compare(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	struct compare *compare = compares;

	while (compare->addr != addr)
		compare++;
	compare->written = 1;
	compare->write(avr, addr, value, param);
	const avr_timer_t *timer = compare->unit->timer;
	avr_cycle_timer_cancel(avr, match_zero, compare);
	const uint8_t low = avr->data[addr];
	/* A timer of 8 bits counts every eighth cycle: no instruction takes that long. */
	if (timer->tov_cycles && (compare->wide ? low < SMALL && avr->data[addr + 1] == 0 : low == 0)) {
		const uint64_t into_round = avr->cycle - timer->tov_base;
		const uint64_t later = low == 0 ? 1 : low + LATEST;
		avr_cycle_timer_register(avr, timer->tov_cycles - into_round % timer->tov_cycles + later,
					 match_zero, compare);
	}
}

/* A timer that begins with a compare value that nobody has written: it is 0. */
static void write_mask(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	struct compare *compare = param;

	avr->data[addr] = value;
	if (avr_regbit_get(avr, compare->unit->interrupt.enable) && !compare->written)
		avr_cycle_timer_register(avr, 1, match_zero, compare);
}

static void watch_compare(avr_t *avr, struct compare *compare)
{
	const avr_io_addr_t io = AVR_DATA_TO_IO(compare->addr);

	if (!avr->io[io].w.c)
		return; /* the chip has no such timer */
	compare->write = avr->io[io].w.c;
	compare->unit = avr->io[io].w.param;
	compare->avr = avr;
	avr_irq_register_notify(compare->unit->interrupt.irq + AVR_INT_IRQ_PENDING, note_match, compare);
	avr->io[io].w.c = write_compare;
	const avr_io_addr_t mask = compare->unit->interrupt.enable.reg;
	if (compare->wide && !avr->io[AVR_DATA_TO_IO(mask)].w.c)
		avr_register_io_write(avr, mask, write_mask, compare);
}

/* -------------------------------------------------------------------- flags of the timers ----- */

static void clear_if(avr_t *avr, avr_int_vector_t *vector, uint8_t value)
{
	if (vector->vector && value & 1 << vector->raised.bit)
		avr_clear_interrupt(avr, vector);
}

static void write_flags(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	avr_timer_t *timer = param;

	(void)addr;
	clear_if(avr, &timer->overflow, value);
	clear_if(avr, &timer->icr, value);
	for (int i = 0; i < AVR_TIMER_COMP_COUNT; i++)
		clear_if(avr, &timer->comp[i].interrupt, value);
}

/* ------------------------------------------------------------------------------ EEPROM time */

static avr_io_write_t eeprom_write;
static uint64_t eeprom_busy_until;

static void write_eeprom_control(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	const int armed = avr->data[addr] & EEMPE;

	eeprom_write(avr, addr, value, param);
	if (armed && value & EEPE)
		eeprom_busy_until = clock_now(avr) + EEPROM_WRITE_CYCLES;
}

static uint8_t read_eeprom_control(avr_t *avr, avr_io_addr_t addr, void *param)
{
	(void)param;
	return clock_now(avr) < eeprom_busy_until ? avr->data[addr] | EEPE : avr->data[addr] & ~EEPE;
}

void corrections_begin(avr_t *avr)
{
	corrections_reset(avr);
	count_interrupt_entry(avr);
	for (size_t i = 0; i < sizeof compares / sizeof *compares; i++)
		watch_compare(avr, &compares[i]);
	for (int timer = 0; timer < TIFRS; timer++)
		if (avr->io[AVR_DATA_TO_IO(TIFR0 + timer)].w.c)
			avr->io[AVR_DATA_TO_IO(TIFR0 + timer)].w.c = write_flags;
	eeprom_write = avr->io[AVR_DATA_TO_IO(EECR)].w.c;
	avr->io[AVR_DATA_TO_IO(EECR)].w.c = write_eeprom_control;
	avr->io[AVR_DATA_TO_IO(EECR)].r.c = read_eeprom_control;
}

void corrections_reset(avr_t *avr)
{
	/* No interrupt of ours is for a level. simavr would ask a low pin for one in every cycle, which takes
	 * most of the time, and keeps the processor from sleeping through. */
	for (uint8_t interrupt = 0; interrupt < EXTINT_COUNT; interrupt++)
		avr_extint_set_strict_lvl_trig(avr, interrupt, 0);
	for (int vector = 0; vector < VECTORS; vector++)
		times[vector].entered = 0;
}
