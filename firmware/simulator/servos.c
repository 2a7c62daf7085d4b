#include "servos.h"

#include <simavr/avr_ioport.h>
#include <simavr/avr_timer.h>
#include <stddef.h>

#include "clock.h"
#include "record.h"

/* Registers of a timer of 16 bits, from TCCRnA; timer 0 has another order. */
enum { TCCRA, TCCRB, TCCRC, UNUSED, TCNT, TCNTH, ICR, ICRH, OCR };
enum { TCCR0A = 0x44 };
enum { WGM1 = 1 << 1, WGM23 = 3 << 3, CLOCK = 7, CLOCK_8 = 2, CYCLES_OF_CLOCK_8 = 8 };

struct servo {
	avr_t *avr;
	int number;
	struct servo_pin wired;
	int level;
	unsigned length; /* of this frame's pulse, in ticks */
};

static struct servo servos[SERVOS];

struct timer {
	avr_t *avr;
	char name;
	avr_io_addr_t base;
	avr_io_write_t write;
	void *write_param;
};

static struct timer timers[] = { { .name = '3', .base = 0x90 },
				 { .name = '4', .base = 0xA0 },
				 { .name = '5', .base = 0x120 } };

static avr_io_addr_t control_a(char timer)
{
	for (size_t i = 0; i < sizeof timers / sizeof *timers; i++)
		if (timers[i].name == timer)
			return timers[i].base;
	return TCCR0A;
}

/* The two bits for the effect of a match on the unit's pin. */
static int output_mode(const struct servo *servo)
{
	return servo->avr->data[control_a(servo->wired.timer)] >> (6 - 2 * servo->wired.unit) & 3;
}

static void set_level(struct servo *servo, int level, uint64_t cycle)
{
	if (level == servo->level)
		return;
	servo->level = level;
	record_note(cycle, servo->number, "servo", level);
}

/* ---------------------------------------------------------------------- timer 0: set and clear */

static void on_match(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct servo *servo = param;

	(void)irq;
	/* simavr keeps the PWM in which the Arduino core starts the timer, and inverts at the overflow. */
	if (output_mode(servo) == (value & 1 ? avr_timer_com_set : avr_timer_com_clear))
		set_level(servo, value & 1, clock_now(servo->avr));
}

/* --------------------------------------------------------------------------- PWM of 16 bits */

static unsigned word(avr_t *avr, avr_io_addr_t low)
{
	return avr->data[low] | avr->data[low + 1] << 8;
}

/* A timer that fires late, after a long instruction, reports the correct time. */
static uint64_t exact(avr_t *avr, avr_cycle_count_t when)
{
	return clock_now(avr) - (avr->cycle - when);
}

static avr_cycle_count_t on_pulse_end(avr_t *avr, avr_cycle_count_t when, void *param)
{
	set_level(param, 0, exact(avr, when));
	return 0;
}

/* The counter is at its bottom: compare values written since the last time count now. */
static avr_cycle_count_t on_bottom(avr_t *avr, avr_cycle_count_t when, void *param)
{
	const struct timer *timer = param;

	for (int i = 0; i < SERVOS; i++) {
		struct servo *servo = &servos[i];
		if (servo->wired.timer != timer->name || output_mode(servo) != avr_timer_com_clear)
			continue;
		servo->length = word(avr, timer->base + OCR + 4 * (servo->wired.unit == 2) +
						  2 * (servo->wired.unit == 1)) + 1;
		set_level(servo, 1, exact(avr, when));
		avr_cycle_timer_register(avr, servo->length * CYCLES_OF_CLOCK_8 - (avr->cycle - when),
					 on_pulse_end, servo);
	}
	return when + (word(avr, timer->base + ICR) + 1) * CYCLES_OF_CLOCK_8;
}

/* A pin that a timer releases follows its port, which is low. */
static void release_pin(const struct timer *timer)
{
	for (int i = 0; i < SERVOS; i++)
		if (servos[i].wired.timer == timer->name && !output_mode(&servos[i]))
			set_level(&servos[i], 0, clock_now(timer->avr));
}

static void write_control(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	struct timer *timer = param;
	const uint8_t a = avr->data[timer->base + TCCRA];

	timer->write(avr, addr, value, timer->write_param);
	if ((value & WGM23) == WGM23 && a & WGM1 && (value & CLOCK) == CLOCK_8)
		avr_cycle_timer_register(avr, (word(avr, timer->base + ICR) + 1) * CYCLES_OF_CLOCK_8,
					 on_bottom, timer);
}

static void write_mode(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	avr->data[addr] = value;
	release_pin(param);
}

static void watch_timer(avr_t *avr, struct timer *timer)
{
	const avr_io_addr_t b = AVR_DATA_TO_IO(timer->base + TCCRB);

	timer->avr = avr;
	timer->write = avr->io[b].w.c;
	timer->write_param = avr->io[b].w.param;
	avr->io[b].w.c = write_control;
	avr->io[b].w.param = timer;
	avr->io[b - 1].w.c = write_mode;
	avr->io[b - 1].w.param = timer;
}

/* ---------------------------------------------------------------------------------- the board */

static int timer_has_servo(char name)
{
	for (int i = 0; i < SERVOS; i++)
		if (servos[i].wired.pin.port && servos[i].wired.timer == name)
			return 1;
	return 0;
}

void servos_begin(avr_t *avr)
{
	for (int i = 0; i < SERVOS; i++) {
		const struct servo_pin wired = board_pins()->servo[i];
		servos[i] = (struct servo){ .avr = avr, .number = i, .wired = wired };
		if (wired.pin.port && wired.timer == '0')
			avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_TIMER_GETIRQ('0'),
							      TIMER_IRQ_OUT_COMP + wired.unit),
						on_match, &servos[i]);
	}
	for (size_t i = 0; i < sizeof timers / sizeof *timers; i++)
		if (timer_has_servo(timers[i].name))
			watch_timer(avr, &timers[i]);
}

void servos_reset(avr_t *avr)
{
	for (int i = 0; i < SERVOS; i++)
		if (servos[i].wired.pin.port)
			set_level(&servos[i], 0, clock_now(avr));
}

int servos_own(avr_t *avr, struct pin pin)
{
	(void)avr;
	for (int i = 0; i < SERVOS; i++)
		if (servos[i].wired.pin.port == pin.port && servos[i].wired.pin.bit == pin.bit &&
		    pin.port)
			return output_mode(&servos[i]) != avr_timer_com_normal;
	return 0;
}
