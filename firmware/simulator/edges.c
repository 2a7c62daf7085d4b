#include "edges.h"

#include <inttypes.h>
#include <simavr/avr_ioport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_pins.h"
#include "clock.h"

struct watched {
	avr_t *avr;
	const char *kind;
	int channel; /* -1: one pin for all motors */
	int level;
};

static FILE *record;
static struct watched watched[2 * MOTORS + 1];

static void write_edge(const struct watched *pin)
{
	if (!record)
		return;
	if (pin->channel < 0)
		fprintf(record, "%" PRIu64 " - %s %d\n", clock_now(pin->avr), pin->kind, pin->level);
	else
		fprintf(record, "%" PRIu64 " %d %s %d\n", clock_now(pin->avr), pin->channel, pin->kind,
			pin->level);
}

static void on_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct watched *pin = param;
	const int level = value & 1;

	(void)irq;
	if (level == pin->level)
		return;
	pin->level = level;
	write_edge(pin);
}

static void watch(struct watched *slot, avr_t *avr, struct pin pin, const char *kind, int channel,
		  int level)
{
	*slot = (struct watched){ avr, kind, channel, level };
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin.port), pin.bit), on_pin,
				slot);
}

void edges_begin(avr_t *avr, const char *path)
{
	const struct board_pins *pins = board_pins();

	if (path) {
		record = fopen(path, "w");
		if (!record) {
			perror(path);
			exit(2);
		}
		setvbuf(record, NULL, _IOFBF, 1 << 16);
		fprintf(record, "# thistlebot edges 1, %s at %u Hz: cycle channel kind level\n", avr->mmcu,
			avr->frequency);
	}
	for (int i = 0; i < MOTORS; i++) {
		watch(&watched[2 * i], avr, pins->step[i], "step", i, 0);
		watch(&watched[2 * i + 1], avr, pins->dir[i], "dir", i, 0);
	}
	watch(&watched[2 * MOTORS], avr, pins->enable, "enable", -1, 1);
}

void edges_reset(avr_t *avr)
{
	if (record)
		fprintf(record, "%" PRIu64 " - reset 1\n", clock_now(avr));
	for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
		const int floating = watched[i].channel < 0 ? 1 : 0;
		if (watched[i].avr && watched[i].level != floating) {
			watched[i].level = floating;
			write_edge(&watched[i]);
		}
	}
}

void edges_mark(void)
{
	if (record)
		fprintf(record, "# flushed\n");
	edges_flush();
}

void edges_flush(void)
{
	if (record)
		fflush(record);
}

void edges_end(void)
{
	if (record)
		fclose(record);
	record = NULL;
}

void drive_input(avr_t *avr, char port, int bit, int level)
{
	static avr_ioport_external_t external['Z'];
	avr_ioport_external_t *pulls = &external[(int)port];

	pulls->name = port;
	pulls->mask |= 1 << bit;
	pulls->value = level ? pulls->value | 1 << bit : pulls->value & ~(1 << bit);
	avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), pulls);
	avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit), level);
}
