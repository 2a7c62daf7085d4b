#include "stallguard.h"

#include <simavr/avr_ioport.h>
#include <stddef.h>

#include "board_pins.h"
#include "clock.h"
#include "drivers.h"
#include "edges.h"

struct motor {
	avr_t *avr;
	long line, address; /* of its driver; -1: it has no UART */
	int level;          /* of STEP */
	uint64_t stepped;   /* when */
	int steps;          /* that StallGuard saw without a break */
	int blocked;
	int diag;
	int told; /* by a command */
};

static struct motor motors[MOTORS];
static int told;

void stallguard_apply(avr_t *avr)
{
	const struct board_pins *pins = board_pins();
	int shared = told;

	for (int i = 0; i < MOTORS; i++) {
		const struct pin own = pins->stall_each[i];
		shared |= motors[i].diag;
		if (own.port)
			drive_input(avr, own.port, own.bit, motors[i].told | motors[i].diag);
	}
	drive_input(avr, pins->stall.port, pins->stall.bit, shared);
}

static void set_diag(struct motor *motor, int diag)
{
	if (diag == motor->diag)
		return;
	motor->diag = diag;
	stallguard_apply(motor->avr);
}

/* The motor has become too slow for StallGuard. */
static avr_cycle_count_t on_slow(avr_t *avr, avr_cycle_count_t when, void *param)
{
	struct motor *motor = param;

	(void)avr;
	(void)when;
	motor->steps = 0;
	set_diag(motor, 0);
	return 0;
}

static void on_step(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct motor *motor = param;
	const int level = value & 1;

	(void)irq;
	if (level == motor->level)
		return;
	motor->level = level;
	if (!level || motor->line < 0)
		return;
	const uint64_t now = clock_now(motor->avr);
	const uint64_t interval = now - motor->stepped;
	const struct driver *driver = driver_at(motor->line, motor->address);
	const double longest =
		driver ? driver->chip->looks(driver->registers, motor->address, interval) : 0;
	motor->stepped = now;
	if (longest == 0) {
		motor->steps = 0;
		set_diag(motor, 0);
		return;
	}
	/* Its result is a new one once each full step. */
	if (++motor->steps >= driver->chip->pulses(driver->registers, motor->address))
		set_diag(motor, motor->blocked);
	avr_cycle_timer_cancel(motor->avr, on_slow, motor);
	avr_cycle_timer_register(motor->avr, (avr_cycle_count_t)longest + 1, on_slow, motor);
}

void stallguard_begin(avr_t *avr)
{
	for (int i = 0; i < MOTORS; i++) {
		const struct pin step = board_pins()->step[i];
		motors[i] = (struct motor){ .avr = avr, .line = -1 };
		if (step.port)
			avr_irq_register_notify(
				avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(step.port), step.bit), on_step,
				&motors[i]);
	}
}

void stallguard_wire(long motor, long line, long address)
{
	motors[motor].line = line;
	motors[motor].address = address;
}

int stallguard_block(avr_t *avr, long motor, int blocked)
{
	(void)avr;
	if (motor < 0 || motor >= MOTORS || !board_pins()->step[motor].port)
		return 0;
	motors[motor].blocked = blocked;
	if (!blocked)
		set_diag(&motors[motor], 0);
	return 1;
}

int stallguard_tell(avr_t *avr, long motor, int stalled)
{
	if (motor >= MOTORS || (motor >= 0 && !board_pins()->stall_each[motor].port))
		return 0;
	if (motor < 0)
		told = stalled;
	else
		motors[motor].told = stalled;
	stallguard_apply(avr);
	return 1;
}
