#define _GNU_SOURCE
#include "commands.h"

#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_pins.h"
#include "clock.h"
#include "drivers.h"
#include "edges.h"
#include "record.h"
#include "stallguard.h"
#include "uart.h"

enum { TIMSK1 = 0x6F, TIMSK3 = 0x71, TIMSK5 = 0x73 };

static int estop_level;  /* 0: the contact is closed */
static int button_level = 1;
static int switch_levels[SWITCHES];
static int quitting;
static const char *firmware;

static void apply_inputs(avr_t *avr)
{
	const struct board_pins *pins = board_pins();

	drive_input(avr, pins->estop.port, pins->estop.bit, estop_level);
	drive_input(avr, pins->button.port, pins->button.bit, button_level);
	stallguard_apply(avr);
	for (int i = 0; i < SWITCHES; i++)
		if (pins->switches[i].port)
			drive_input(avr, pins->switches[i].port, pins->switches[i].bit, !switch_levels[i]);
}

void commands_begin(avr_t *avr, const char *elf_path)
{
	firmware = elf_path;
	apply_inputs(avr);
}

void commands_reset(avr_t *avr)
{
	apply_inputs(avr);
}

int quit_requested(void)
{
	return quitting;
}

static int send_hex(avr_t *avr, const char *hex, long times)
{
	uint8_t bytes[1024];
	size_t size = 0;
	unsigned value;

	while (hex[0] && hex[1] && size < sizeof bytes) {
		if (sscanf(hex, "%2x", &value) != 1)
			return 0;
		bytes[size++] = (uint8_t)value;
		hex += 2;
	}
	if (hex[0])
		return 0;
	while (times-- > 0)
		if (uart_send(avr, bytes, size) != size)
			return 0;
	return 1;
}

/* Powers a driver, and optionally assigns it to a motor. */
static int power_up(avr_t *avr, const char *chip, long line, long address, long motor)
{
	if (motor >= MOTORS || !driver_power_up(avr, chip, line, address))
		return 0;
	if (motor >= 0)
		stallguard_wire(motor, line, address);
	return 1;
}

/* A switch closes or opens. */
static int turn_switch(const char *how, long number)
{
	const int closed = strcmp(how, "close") == 0;

	if ((!closed && strcmp(how, "open") != 0) || number < 0 || number >= SWITCHES ||
	    !board_pins()->switches[number].port)
		return 0;
	switch_levels[number] = closed;
	return 1;
}

/* Makes one of the two loops of the firmware hang, to test the watchdog. */
static int hang(avr_t *avr, const char *what)
{
	if (strcmp(what, "steps") == 0) {
		avr->data[TIMSK1] = 0;
		if (avr->address_size == 3) /* four lanes, on one of these timers */
			avr->data[TIMSK3] = avr->data[TIMSK5] = 0;
		return 1;
	}
	if (strcmp(what, "main") == 0) {
		/* The instruction that comes next in main jumps to itself: 0xCFFF is `rjmp .-2`. */
		avr->flash[avr->pc] = 0xFF;
		avr->flash[avr->pc + 1] = 0xCF;
		return 1;
	}
	return 0;
}

void command(avr_t *avr, const char *line)
{
	char verb[32] = "", argument[2100] = "";
	long times = 1, address = 0, motor = -1;
	int good = 0;
	const int fields = sscanf(line, "%31s %2099s %ld %ld %ld", verb, argument, &times, &address,
				  &motor);

	if (fields < 1 || verb[0] == '#')
		return;
	if (strcmp(verb, "quit") == 0) {
		quitting = good = 1;
	} else if (strcmp(verb, "reset") == 0) {
		avr_reset(avr);
		good = 1;
	} else if (strcmp(verb, "button") == 0) {
		good = strcmp(argument, "press") == 0 || strcmp(argument, "release") == 0;
		if (good)
			button_level = strcmp(argument, "press") != 0;
		apply_inputs(avr);
	} else if (strcmp(verb, "estop") == 0) {
		good = strcmp(argument, "0") == 0 || strcmp(argument, "1") == 0;
		if (good)
			estop_level = argument[0] == '1';
		apply_inputs(avr);
	} else if (strcmp(verb, "stall") == 0) {
		good = (strcmp(argument, "0") == 0 || strcmp(argument, "1") == 0) &&
		       stallguard_tell(avr, fields >= 3 ? times : -1, argument[0] == '1');
	} else if (strcmp(verb, "send") == 0) {
		good = send_hex(avr, argument, times);
	} else if (strcmp(verb, "switch") == 0) {
		good = turn_switch(argument, fields >= 3 ? times : -1);
		apply_inputs(avr);
	} else if (strcmp(verb, "driver") == 0) {
		good = fields >= 4 && power_up(avr, argument, times, address, motor);
	} else if (strcmp(verb, "block") == 0 || strcmp(verb, "unblock") == 0) {
		good = fields == 2 &&
		       stallguard_block(avr, strtol(argument, NULL, 10), verb[0] == 'b');
	} else if (strcmp(verb, "hang") == 0) {
		good = hang(avr, argument);
	} else if (strcmp(verb, "flush") == 0) {
		record_mark(avr);
		good = 1;
	}
	if (!good)
		fprintf(stderr, "simulator: not a command: %s\n", line);
}

/* ----------------------------------------------------------------------------------- script */

static FILE *script;
static char next_line[2200];
static uint64_t next_cycle = UINT64_MAX;

static void read_next(void)
{
	double ms;
	int used;
	char line[2200];

	next_cycle = UINT64_MAX;
	while (script && fgets(line, sizeof line, script)) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] == '#' || line[0] == 0)
			continue;
		if (sscanf(line, "%lf %n", &ms, &used) != 1) {
			fprintf(stderr, "simulator: script line without a time: %s\n", line);
			exit(2);
		}
		next_cycle = (uint64_t)(ms * CYCLES_PER_MS);
		snprintf(next_line, sizeof next_line, "%s", line + used);
		return;
	}
}

void script_begin(avr_t *avr, const char *path)
{
	(void)avr;
	script = fopen(path, "r");
	if (!script) {
		perror(path);
		exit(2);
	}
	read_next();
}

uint64_t script_next_cycle(void)
{
	return next_cycle;
}

void script_poll(avr_t *avr)
{
	while (next_cycle <= clock_now(avr)) {
		char line[sizeof next_line];
		memcpy(line, next_line, sizeof line);
		read_next();
		command(avr, line);
	}
}
