/* TMC2209: data sheet, sections 5.3 and 11. It detects a stall only in StealthChop, with a threshold, and
 * while its motor steps faster than TCOOLTHRS says. */
#include "chip.h"

enum { GCONF = 0x00, TPWMTHRS = 0x13, TCOOLTHRS = 0x14, SGTHRS = 0x40, CHOPCONF = 0x6C };
enum { GCONF_AT_FIRST = 0x101, CHOPCONF_AT_FIRST = 0x10000053 };
enum { SPREAD_CYCLE = 1 << 2, MICROSTEPS_FROM_REGISTER = 1 << 7 };
enum { TOFF = 15, MRES_AT = 24, MRES = 15, FULL_STEP = 8 };
#define DRIVER_HZ 12000000.0
#define CHIP_HZ 16000000.0

/* Parts of 256 of a full step that a pulse is, as a power of two, by the pins MS1 and MS2. */
static const int pins_mres[] = { 5, 3, 2, 4 };

static int mres_of(const uint32_t *registers, long address)
{
	if (!(registers[GCONF] & MICROSTEPS_FROM_REGISTER))
		return pins_mres[address];
	const int mres = registers[CHOPCONF] >> MRES_AT & MRES;
	return mres < FULL_STEP ? mres : FULL_STEP;
}

static void power_up(avr_t *avr, uint32_t *registers)
{
	(void)avr;
	registers[GCONF] = GCONF_AT_FIRST;
	registers[CHOPCONF] = CHOPCONF_AT_FIRST;
}

static int pulses(const uint32_t *registers, long address)
{
	return 256 >> mres_of(registers, address);
}

static double looks(const uint32_t *registers, long address, uint64_t interval)
{
	/* Cycles of the board for one of the times that thresholds count, between two 256ths of a step. */
	const double cycles = (1 << mres_of(registers, address)) * CHIP_HZ / DRIVER_HZ;
	const double longest = registers[TCOOLTHRS] * cycles;

	if (registers[SGTHRS] == 0 || registers[GCONF] & SPREAD_CYCLE || !(registers[CHOPCONF] & TOFF))
		return 0;
	return (double)interval <= longest && (double)interval > registers[TPWMTHRS] * cycles ? longest : 0;
}

static struct chip tmc2209 = { "tmc2209", 4, power_up, pulses, looks, 0 };

__attribute__((constructor)) static void add(void)
{
	chip_add(&tmc2209);
}
