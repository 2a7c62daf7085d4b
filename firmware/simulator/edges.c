#include "edges.h"

#include <simavr/avr_ioport.h>
#include <stddef.h>

#include "board_pins.h"
#include "clock.h"
#include "record.h"
#include "servos.h"

struct watched {
	avr_t *avr;
	struct pin pin;
	const char *kind;
	int channel; /* -1: one for all motors */
	int level;
};

static struct watched watched[2 * MOTORS + OUTPUTS];
static size_t watched_used;
static struct watched enables[MOTORS];
static int drivers_off = 1; /* the level of ENABLE: 1 when no driver is on */

static void on_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct watched *pin = param;
	const int level = value & 1;

	(void)irq;
	if (level == pin->level || servos_own(pin->avr, pin->pin))
		return;
	pin->level = level;
	record_note(clock_now(pin->avr), pin->channel, pin->kind, level);
}

/* Several drivers with an enable pin each: ENABLE is low while at least one is on. */
static void note_enable(avr_t *avr)
{
	int off = 1;

	for (int i = 0; i < MOTORS; i++)
		off &= enables[i].level;
	if (off == drivers_off)
		return;
	drivers_off = off;
	record_note(clock_now(avr), -1, "enable", off);
}

static void on_enable(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct watched *pin = param;

	(void)irq;
	pin->level = value & 1;
	note_enable(pin->avr);
}

static void watch(struct watched *slot, struct watched what, avr_irq_notify_t notify)
{
	*slot = what;
	if (!what.pin.port)
		return;
	avr_irq_register_notify(
		avr_io_getirq(what.avr, AVR_IOCTL_IOPORT_GETIRQ(what.pin.port), what.pin.bit), notify,
		slot);
}

static void watch_output(avr_t *avr, struct pin pin, const char *kind, int channel)
{
	watch(&watched[watched_used++], (struct watched){ avr, pin, kind, channel, 0 }, on_pin);
}

void edges_begin(avr_t *avr)
{
	const struct board_pins *pins = board_pins();

	for (int i = 0; i < MOTORS; i++) {
		watch_output(avr, pins->step[i], "step", i);
		watch_output(avr, pins->dir[i], "dir", i);
		watch(&enables[i], (struct watched){ avr, pins->enable[i], "enable", i, 1 }, on_enable);
	}
	for (int i = 0; i < OUTPUTS; i++)
		watch_output(avr, pins->output[i], "output", i);
}

void edges_reset(avr_t *avr)
{
	record_note(clock_now(avr), -1, "reset", 1);
	for (size_t i = 0; i < watched_used; i++) {
		if (watched[i].level == 0)
			continue;
		watched[i].level = 0;
		record_note(clock_now(avr), watched[i].channel, watched[i].kind, 0);
	}
	for (int i = 0; i < MOTORS; i++)
		enables[i].level = 1;
	note_enable(avr);
}

void drive_input(avr_t *avr, char port, int bit, int level)
{
	static avr_ioport_external_t external['Z'];
	avr_ioport_external_t *pulls = &external[(int)port];
	avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit);
	avr_ioport_state_t state = { 0 };

	pulls->name = port;
	pulls->mask |= 1 << bit;
	pulls->value = level ? pulls->value | 1 << bit : pulls->value & ~(1 << bit);
	avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), pulls);
	/* A reset clears what the chip reads, and simavr would not write a level that is as before. */
	avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE(port), &state);
	if (!(state.pin & 1 << bit) != !level)
		pin->value = !level;
	avr_raise_irq(pin, level);
}
