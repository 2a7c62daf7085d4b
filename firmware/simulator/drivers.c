#include "drivers.h"

#include <simavr/avr_ioport.h>
#include <stdio.h>
#include <string.h>

#include "board_pins.h"
#include "clock.h"
#include "edges.h"
#include "record.h"

#define ADDRESSES 4
#define EDGES 128
enum { SYNC = 0x05, MASTER = 0xFF, WRITE = 0x80, IFCNT = 0x02, READ_SIZE = 4, WRITE_SIZE = 8 };
/* A datagram has ended when the line has been quiet for longer than a byte lasts. */
enum { QUIET_CYCLES = 12 * 833, FRAME_BITS = 10 };

struct line {
	avr_t *avr;
	int number;
	struct pin pin;
	struct driver drivers[ADDRESSES];
	int level;
	uint64_t at[EDGES]; /* edges of the datagram under way; the first falls */
	int edges;
	double bit; /* cycles, measured on the first byte */
	uint8_t answer[WRITE_SIZE];
	int answer_bit; /* of all its bits; -1: none is sent */
};

static struct line lines[DRIVER_LINES];
static struct chip *chips;

void chip_add(struct chip *chip)
{
	chip->next = chips;
	chips = chip;
}

static uint8_t crc8(const uint8_t *bytes, int size)
{
	uint8_t crc = 0;

	for (int i = 0; i < size; i++)
		for (int bit = 0; bit < 8; bit++) {
			const int feed = (crc >> 7 ^ bytes[i] >> bit) & 1;
			crc = (uint8_t)(crc << 1 ^ (feed ? 0x07 : 0));
		}
	return crc;
}

static int level_at(const struct line *line, double cycle)
{
	int passed = 0;

	while (passed < line->edges && (double)line->at[passed] <= cycle)
		passed++;
	return passed % 2 == 0;
}

/* The bytes of the datagram whose edges were seen; the first one's bits say how long a bit is. */
static int decode(struct line *line, uint8_t *bytes, int most)
{
	int size = 0;
	int edge = 0;

	if (line->edges < 6)
		return 0;
	/* 0x05 after the start bit: falls at 0, rises at 1, falls at 2, rises at 3, falls at 4 bits. */
	line->bit = (double)(line->at[4] - line->at[0]) / 4;
	while (edge < line->edges && size < most) {
		const double start = (double)line->at[edge];
		uint8_t byte = 0;
		for (int bit = 0; bit < 8; bit++)
			byte |= (uint8_t)(level_at(line, start + (1.5 + bit) * line->bit) << bit);
		bytes[size++] = byte;
		/* The next byte begins with the next fall after this one's stop bit has begun. */
		while (edge < line->edges && (edge % 2 || (double)line->at[edge] < start + 9.5 * line->bit))
			edge++;
	}
	return size;
}

static avr_cycle_count_t next_answer_bit(avr_t *avr, avr_cycle_count_t when, void *param)
{
	struct line *line = param;
	const int byte = line->answer_bit / FRAME_BITS, bit = line->answer_bit % FRAME_BITS;

	if (byte == WRITE_SIZE) {
		line->answer_bit = -1;
		drive_input(avr, line->pin.port, line->pin.bit, 1);
		return 0;
	}
	drive_input(avr, line->pin.port, line->pin.bit,
		    bit == 0 ? 0 : bit == 9 ? 1 : line->answer[byte] >> (bit - 1) & 1);
	line->answer_bit++;
	return when + (avr_cycle_count_t)line->bit;
}

static void answer(struct line *line, uint8_t which, uint32_t value)
{
	uint8_t *to = line->answer;

	to[0] = SYNC;
	to[1] = MASTER;
	to[2] = which;
	for (int i = 0; i < 4; i++)
		to[3 + i] = (uint8_t)(value >> (24 - 8 * i));
	to[7] = crc8(to, 7);
	line->answer_bit = 0;
	avr_cycle_timer_register(line->avr, 1, next_answer_bit, line);
}

static void take(struct line *line, const uint8_t *bytes, int size)
{
	char kind[16];
	struct driver *driver = &line->drivers[bytes[1] % ADDRESSES];

	if (bytes[0] != SYNC || bytes[1] >= ADDRESSES || !driver->chip ||
	    crc8(bytes, size - 1) != bytes[size - 1])
		return;
	const uint8_t which = bytes[2] & (WRITE - 1);
	if (size == WRITE_SIZE && bytes[2] & WRITE) {
		const uint32_t value = (uint32_t)bytes[3] << 24 | (uint32_t)bytes[4] << 16 |
				       (uint32_t)bytes[5] << 8 | bytes[6];
		driver->registers[which] = value;
		driver->count++;
		snprintf(kind, sizeof kind, "register-%02x", which);
		record_note(clock_now(line->avr), line->number * ADDRESSES + bytes[1], kind, value);
	} else if (size == READ_SIZE && !(bytes[2] & WRITE)) {
		answer(line, which, which == IFCNT ? driver->count : driver->registers[which]);
	}
}

static avr_cycle_count_t on_quiet(avr_t *avr, avr_cycle_count_t when, void *param)
{
	struct line *line = param;
	uint8_t bytes[WRITE_SIZE + 1] = { 0 };
	const int size = decode(line, bytes, sizeof bytes);

	(void)avr;
	(void)when;
	line->edges = 0;
	if (size == READ_SIZE || size == WRITE_SIZE)
		take(line, bytes, size);
	return 0;
}

static void on_level(struct avr_irq_t *irq, uint32_t value, void *param)
{
	struct line *line = param;
	const int level = value & 1;

	(void)irq;
	if (line->answer_bit >= 0 || level == line->level)
		return;
	line->level = level;
	if (line->edges == 0 && level)
		return;
	if (line->edges < EDGES)
		line->at[line->edges++] = line->avr->cycle;
	avr_cycle_timer_cancel(line->avr, on_quiet, line);
	avr_cycle_timer_register(line->avr, QUIET_CYCLES, on_quiet, line);
}

void drivers_begin(avr_t *avr)
{
	for (int i = 0; i < DRIVER_LINES; i++) {
		struct line *line = &lines[i];
		line->avr = avr;
		line->number = i;
		line->pin = board_pins()->driver_line[i];
		line->level = 1;
		line->answer_bit = -1;
		if (!line->pin.port)
			continue;
		avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(line->pin.port),
						      line->pin.bit),
					on_level, line);
	}
	drivers_reset(avr);
}

void drivers_reset(avr_t *avr)
{
	for (int i = 0; i < DRIVER_LINES; i++) {
		lines[i].edges = 0;
		lines[i].answer_bit = -1;
		lines[i].level = 1;
		if (lines[i].pin.port)
			drive_input(avr, lines[i].pin.port, lines[i].pin.bit, 1);
	}
}

const struct driver *driver_at(long line, long address)
{
	const struct driver *driver = &lines[line].drivers[address];

	return driver->chip ? driver : NULL;
}

int driver_power_up(avr_t *avr, const char *name, long line, long address)
{
	const struct chip *chip = chips;

	while (chip && strcmp(chip->name, name) != 0)
		chip = chip->next;
	if (!chip || line < 0 || line >= DRIVER_LINES || !lines[line].pin.port || address < 0 ||
	    address >= chip->addresses)
		return 0;
	struct driver *driver = &lines[line].drivers[address];
	*driver = (struct driver){ .chip = chip };
	chip->power_up(avr, driver->registers);
	return 1;
}
