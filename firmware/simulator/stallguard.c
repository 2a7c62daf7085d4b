#include "stallguard.h"

#include <simavr/avr_ioport.h>
#include <stddef.h>

#include "board_pins.h"
#include "clock.h"
#include "drivers.h"
#include "edges.h"

enum { GCONF = 0x00, TPWMTHRS = 0x13, TCOOLTHRS = 0x14, SGTHRS = 0x40, CHOPCONF = 0x6C };
enum { SPREAD_CYCLE = 1 << 2, MICROSTEPS_FROM_REGISTER = 1 << 7 };
enum { TOFF = 15, MRES_AT = 24, MRES = 15, FULL_STEP = 8 };
#define DRIVER_HZ 12000000.0
#define CHIP_HZ 16000000.0

/* Parts of 256 of a full step that a pulse is, as a power of two, by the pins MS1 and MS2. */
static const int pins_mres[] = { 5, 3, 2, 4 };

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

static int mres_of(const struct motor *motor, const uint32_t *registers)
{
	if (!(registers[GCONF] & MICROSTEPS_FROM_REGISTER))
		return pins_mres[motor->address];
	const int mres = registers[CHOPCONF] >> MRES_AT & MRES;
	return mres < FULL_STEP ? mres : FULL_STEP;
}

/* Cycles of the chip for the time between two 256ths of a step, which TSTEP and thresholds count. */
static double cycles_of(uint32_t tstep, int mres)
{
	return tstep * (double)(1 << mres) * CHIP_HZ / DRIVER_HZ;
}

/* Does the driver look for a stall when its motor steps so fast? */
static int looks(const uint32_t *registers, int mres, uint64_t interval)
{
	if (registers[SGTHRS] == 0 || registers[GCONF] & SPREAD_CYCLE || !(registers[CHOPCONF] & TOFF))
		return 0;
	return (double)interval <= cycles_of(registers[TCOOLTHRS], mres) &&
	       (double)interval > cycles_of(registers[TPWMTHRS], mres);
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
	const uint32_t *registers = driver_registers(motor->line, motor->address);
	motor->stepped = now;
	if (!registers || !looks(registers, mres_of(motor, registers), interval)) {
		motor->steps = 0;
		set_diag(motor, 0);
		return;
	}
	const int mres = mres_of(motor, registers);
	/* Its result is a new one once each full step. */
	if (++motor->steps >= 256 >> mres)
		set_diag(motor, motor->blocked);
	avr_cycle_timer_cancel(motor->avr, on_slow, motor);
	avr_cycle_timer_register(motor->avr,
				 (avr_cycle_count_t)cycles_of(registers[TCOOLTHRS], mres) + 1, on_slow,
				 motor);
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
