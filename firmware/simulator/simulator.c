/* Runs the firmware in a corrected simavr: see README.md. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "board_pins.h"
#include "clock.h"
#include "commands.h"
#include "corrections.h"
#include "drivers.h"
#include "edges.h"
#include "pty.h"
#include "record.h"
#include "servos.h"
#include "stallguard.h"
#include "uart.h"

#define FREQUENCY 16000000
/* Polling interval for bytes and commands; a sleeping processor receives them as from a USB chip. */
#define SLICE_CYCLES (CYCLES_PER_MS / 4)
#define SLEEP_CYCLES CYCLES_PER_MS
#define FLUSH_NS 20000000LL
/* If the simulation is behind by more than this, it drops the lost time instead of catching up. */
#define GIVE_UP_NS 50000000LL

struct options {
	const char *board, *elf, *edges, *link, *control, *script, *serial_log, *eeprom;
	double pace;
	double until_ms;
	uint32_t baud;
	int times;
};

static volatile sig_atomic_t stopping;
static int chip_was_reset;
static FILE *serial_log;
static void (*chip_reset)(avr_t *);

static void on_signal(int number)
{
	(void)number;
	stopping = 1;
}

static int64_t wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void log_serial(uint64_t cycle, char direction, uint8_t byte)
{
	if (serial_log)
		fprintf(serial_log, "%" PRIu64 " %c %02x\n", cycle, direction, byte);
}

static void on_output(uint64_t cycle, uint8_t byte)
{
	log_serial(cycle, '<', byte);
	pty_write(byte);
}

static void quiet_logger(avr_t *avr, const int level, const char *format, va_list arguments)
{
	(void)avr;
	if (level <= LOG_ERROR)
		vfprintf(stderr, format, arguments);
}

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr;
	(void)cycles;
}

/* simavr calls this early in a reset; after_reset() corrects what it resets afterwards. */
static void on_chip_reset(avr_t *avr)
{
	chip_was_reset = 1;
	if (chip_reset)
		chip_reset(avr);
}

static void after_reset(avr_t *avr)
{
	chip_was_reset = 0;
	uart_reset(avr);
	corrections_reset(avr);
	edges_reset(avr);
	servos_reset(avr);
	drivers_reset(avr);
	commands_reset(avr);
	fprintf(stderr, "simulator: reset at cycle %" PRIu64 "\n", clock_now(avr));
}

static const char usage[] =
	"simulator --elf FILE [--board NAME | --mcu CHIP] [--link PATH] [--pace N] [--edges FILE]\n"
	"          [--control FIFO] [--script FILE] [--until MS] [--serial-log FILE] [--eeprom FILE]\n"
	"          [--baud N] [--times]\n";

static struct options parse(int argc, char **argv)
{
	static const struct option names[] = {
		{ "mcu", 1, 0, 'm' },	    { "board", 1, 0, 'o' },
		{ "elf", 1, 0, 'e' },	 { "edges", 1, 0, 'd' },
		{ "link", 1, 0, 'l' },	    { "pace", 1, 0, 'p' },	 { "control", 1, 0, 'c' },
		{ "script", 1, 0, 's' },    { "until", 1, 0, 'u' },	 { "serial-log", 1, 0, 'g' },
		{ "eeprom", 1, 0, 'r' },    { "baud", 1, 0, 'b' },	 { "times", 0, 0, 't' },
		{ 0, 0, 0, 0 },
	};
	struct options options = { .board = "uno", .pace = -1, .until_ms = -1, .baud = 250000 };
	int option;

	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (option) {
		case 'm': options.board = board_of_mcu(optarg); break;
		case 'o': options.board = optarg; break;
		case 'e': options.elf = optarg; break;
		case 'd': options.edges = optarg; break;
		case 'l': options.link = optarg; break;
		case 'p': options.pace = atof(optarg); break;
		case 'c': options.control = optarg; break;
		case 's': options.script = optarg; break;
		case 'u': options.until_ms = atof(optarg); break;
		case 'g': options.serial_log = optarg; break;
		case 'r': options.eeprom = optarg; break;
		case 'b': options.baud = (uint32_t)atol(optarg); break;
		case 't': options.times = 1; break;
		default: fputs(usage, stderr); exit(2);
		}
	}
	if (!options.elf || !options.board || !board_pins_choose(options.board)) {
		fputs(usage, stderr);
		exit(2);
	}
	if (options.pace < 0) /* a host in real time needs a board in real time */
		options.pace = options.link ? 1 : 0;
	return options;
}

static void load_eeprom(avr_t *avr, const char *path)
{
	uint8_t bytes[4096];
	FILE *file = fopen(path, "rb");
	avr_eeprom_desc_t area = { .ee = bytes, .offset = 0, .size = 0 };

	if (!file)
		return; /* the first run */
	area.size = (uint32_t)fread(bytes, 1, (size_t)avr->e2end + 1, file);
	fclose(file);
	avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &area);
}

static void save_eeprom(avr_t *avr, const char *path)
{
	avr_eeprom_desc_t area = { .ee = NULL, .offset = 0, .size = (uint32_t)avr->e2end + 1 };
	avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &area); /* returns -1 in any case */
	FILE *file = area.ee ? fopen(path, "wb") : NULL;

	if (!file) {
		perror(path);
		return;
	}
	fwrite(area.ee, 1, area.size, file);
	fclose(file);
}

static avr_t *make_board(const struct options *options)
{
	elf_firmware_t firmware = { 0 };
	avr_t *avr = avr_make_mcu_by_name(board_pins()->mcu);
	uint32_t no_flags = 0;

	avr_global_logger_set(quiet_logger);
	if (!avr || elf_read_firmware(options->elf, &firmware) != 0) {
		fprintf(stderr, "simulator: cannot load %s for %s\n", options->elf, board_pins()->mcu);
		exit(2);
	}
	avr_init(avr);
	avr->log = LOG_ERROR;
	firmware.frequency = FREQUENCY;
	snprintf(firmware.mmcu, sizeof firmware.mmcu, "%s", board_pins()->mcu);
	avr_load_firmware(avr, &firmware);
	avr->frequency = FREQUENCY;
	avr->sleep = no_sleep;
	avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &no_flags);
	chip_reset = avr->reset;
	avr->reset = on_chip_reset;
	if (options->eeprom)
		load_eeprom(avr, options->eeprom);
	return avr;
}

static void feed_from_pty(avr_t *avr)
{
	uint8_t bytes[256];
	size_t room = uart_room();
	size_t size = pty_read(bytes, room < sizeof bytes ? room : sizeof bytes);

	for (size_t i = 0; i < size; i++)
		log_serial(clock_now(avr), '>', bytes[i]);
	uart_send(avr, bytes, size);
}

static void read_commands(avr_t *avr, int control)
{
	static char text[4096];
	static size_t used;
	const ssize_t got = control < 0 ? 0 : read(control, text + used, sizeof text - 1 - used);
	char *end;

	if (got <= 0)
		return;
	used += (size_t)got;
	text[used] = 0;
	while ((end = strchr(text, '\n')) != NULL) {
		*end = 0;
		command(avr, text);
		used -= (size_t)(end + 1 - text);
		memmove(text, end + 1, used + 1);
	}
	if (used == sizeof text - 1)
		used = 0;
}

/* Ends a sleep, which would last until the next event of the chip. */
static avr_cycle_count_t end_sleep(avr_t *avr, avr_cycle_count_t when, void *param)
{
	(void)avr;
	(void)when;
	(void)param;
	return 0;
}

/* Runs until a cycle; false when the processor has stopped for good. */
static int run_until(avr_t *avr, uint64_t cycle)
{
	if (clock_now(avr) < cycle)
		avr_cycle_timer_register(avr, cycle - clock_now(avr), end_sleep, NULL);
	while (clock_now(avr) < cycle) {
		const int state = avr_run(avr);
		if (chip_was_reset)
			after_reset(avr);
		if (state == cpu_Done || state == cpu_Crashed) {
			fprintf(stderr, "simulator: the processor crashed at cycle %" PRIu64 "\n", clock_now(avr));
			return 0;
		}
	}
	return 1;
}

static int open_control(const char *path)
{
	if (!path) {
		fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
		return STDIN_FILENO;
	}
	if (mkfifo(path, 0600) != 0 && access(path, R_OK) != 0) {
		perror(path);
		exit(2);
	}
	return open(path, O_RDWR | O_NONBLOCK); /* for writing too: a writer that leaves ends nothing */
}

static void run(avr_t *avr, const struct options *options, int control)
{
	const uint64_t end = options->until_ms < 0 ? UINT64_MAX :
						     (uint64_t)(options->until_ms * CYCLES_PER_MS);
	int64_t start_ns = wall_ns(), flushed_ns = start_ns;
	uint64_t start_cycle = clock_now(avr);
	const double faster = options->pace > 1 ? options->pace : 1;

	while (!stopping && !quit_requested() && clock_now(avr) < end) {
		const int slice = avr->state == cpu_Sleeping ? SLEEP_CYCLES : SLICE_CYCLES;
		uint64_t until = clock_now(avr) + (uint64_t)(slice * faster);
		if (script_next_cycle() < until)
			until = script_next_cycle();
		if (end < until)
			until = end;
		if (!run_until(avr, until))
			break;
		script_poll(avr);
		feed_from_pty(avr);
		read_commands(avr, control);
		const int64_t now = wall_ns();
		if (now - flushed_ns > FLUSH_NS) {
			flushed_ns = now;
			record_flush();
			if (serial_log)
				fflush(serial_log);
		}
		if (options->pace <= 0)
			continue;
		const double simulated_ns = (double)(clock_now(avr) - start_cycle) * 1e9 / FREQUENCY;
		const int64_t ahead = (int64_t)(simulated_ns / options->pace) - (now - start_ns);
		if (ahead > 0) {
			const struct timespec wait = { ahead / 1000000000LL, ahead % 1000000000LL };
			nanosleep(&wait, NULL);
		} else if (ahead < -GIVE_UP_NS) {
			start_ns = now;
			start_cycle = clock_now(avr);
		}
	}
}

int main(int argc, char **argv)
{
	const struct options options = parse(argc, argv);
	const struct sigaction action = { .sa_handler = on_signal };
	avr_t *avr = make_board(&options);
	int control = -1;

	prctl(PR_SET_PDEATHSIG, SIGTERM); /* a test that dies leaves no simulator behind */
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	uart_begin(avr, options.baud, on_output);
	corrections_begin(avr);
	record_begin(avr, options.edges);
	edges_begin(avr);
	servos_begin(avr);
	drivers_begin(avr);
	stallguard_begin(avr);
	commands_begin(avr, options.elf);
	if (options.serial_log)
		serial_log = fopen(options.serial_log, "w");
	if (options.script)
		script_begin(avr, options.script);
	if (options.control || !options.script)
		control = open_control(options.control);
	if (options.link)
		pty_begin(options.link);
	fprintf(stderr, "simulator: %s runs %s\n", board_pins()->mcu, options.elf);

	run(avr, &options, control);

	record_end();
	pty_end();
	if (serial_log)
		fclose(serial_log);
	if (options.eeprom)
		save_eeprom(avr, options.eeprom);
	if (options.times)
		print_interrupt_times();
	const struct uart_counts counts = uart_counts();
	fprintf(stderr,
		"simulator: %.3f ms, received %" PRIu64 " bytes, lost %" PRIu64 ", sent %" PRIu64 "\n",
		(double)clock_now(avr) / CYCLES_PER_MS, counts.received, counts.overrun, counts.sent);
	return 0;
}
