#include "uart.h"

#include <simavr/avr_uart.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

/* USART 0 has the same addresses on the ATmega328P and the ATmega2560. */
enum { UCSRA = 0xC0, UCSRB = 0xC1, UDR = 0xC6 };
enum { U2X = 1 << 1, UDRE = 1 << 5, TXC = 1 << 6, RXC = 1 << 7 };
enum { TXEN = 1 << 3, RXEN = 1 << 4, UDRIE = 1 << 5, RXCIE = 1 << 7 };

#define BITS_PER_BYTE 10
#define LINE_SIZE (1 << 16)

static avr_uart_t *vectors; /* simavr's: only its interrupt vectors and its baud registers are used */
static uart_output_t output_to;
static struct uart_counts counts;
static uint32_t host_baud;

/* Bytes on their way to the board. */
static uint8_t line[LINE_SIZE];
static size_t line_head, line_used;
static int receiving;

static uint8_t buffer[2];
static int buffered;
static uint8_t shifted;
static int shift_full;

static uint8_t sending, waiting;
static int busy, waiting_full;

static uint32_t cycles_per_bit(avr_t *avr)
{
	const uint32_t divider = avr->data[vectors->r_ucsra + 4] | avr->data[vectors->r_ucsra + 5] << 8;
	return (divider + 1) * (avr->data[UCSRA] & U2X ? 8 : 16);
}

static uint32_t host_cycles_per_byte(avr_t *avr)
{
	return (uint32_t)((uint64_t)avr->frequency * BITS_PER_BYTE / host_baud);
}

/* A receiver at another rate than the sender's sees something else. */
static uint8_t as_heard(avr_t *avr, uint8_t byte)
{
	const double ratio = (double)cycles_per_bit(avr) * host_baud / avr->frequency;
	return ratio > 0.96 && ratio < 1.04 ? byte : (uint8_t)(byte << 3 | 0x55);
}

static void raise_receive(avr_t *avr)
{
	avr->data[UCSRA] |= RXC;
	avr_raise_interrupt(avr, &vectors->rxc);
}

static void buffer_byte(avr_t *avr, uint8_t byte)
{
	buffer[buffered++] = byte;
	raise_receive(avr);
}

static avr_cycle_count_t on_byte_received(avr_t *avr, avr_cycle_count_t when, void *param);

static void begin_byte(avr_t *avr)
{
	if (receiving || line_used == 0)
		return;
	receiving = 1;
	avr_cycle_timer_register(avr, host_cycles_per_byte(avr), on_byte_received, NULL);
}

static avr_cycle_count_t on_byte_received(avr_t *avr, avr_cycle_count_t when, void *param)
{
	const uint8_t byte = as_heard(avr, line[line_head]);

	(void)param;
	line_head = (line_head + 1) % LINE_SIZE;
	line_used--;
	counts.received++;
	if (avr->data[UCSRB] & RXEN) {
		if (buffered < 2) {
			buffer_byte(avr, byte);
		} else if (!shift_full) {
			shifted = byte;
			shift_full = 1;
		} else {
			counts.overrun++;
			shifted = byte;
		}
	}
	if (line_used > 0)
		return when + host_cycles_per_byte(avr);
	receiving = 0;
	return 0;
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t addr, void *param)
{
	uint8_t byte = avr->data[addr];

	(void)param;
	if (buffered > 0) {
		byte = buffer[0];
		buffer[0] = buffer[1];
		buffered--;
	}
	if (shift_full) {
		shift_full = 0;
		buffer[buffered++] = shifted;
	}
	if (buffered > 0) {
		raise_receive(avr);
	} else {
		avr->data[UCSRA] &= ~RXC;
		avr_clear_interrupt(avr, &vectors->rxc);
	}
	avr->data[addr] = byte;
	return byte;
}

static avr_cycle_count_t on_byte_sent(avr_t *avr, avr_cycle_count_t when, void *param);

static void shift_out(avr_t *avr, uint8_t byte)
{
	sending = byte;
	busy = 1;
	avr->data[UCSRA] |= UDRE;
	avr_raise_interrupt(avr, &vectors->udrc);
	(void)avr;
}

static avr_cycle_count_t on_byte_sent(avr_t *avr, avr_cycle_count_t when, void *param)
{
	(void)param;
	counts.sent++;
	output_to(clock_now(avr), sending);
	if (waiting_full) {
		waiting_full = 0;
		shift_out(avr, waiting);
		return when + BITS_PER_BYTE * cycles_per_bit(avr);
	}
	busy = 0;
	avr->data[UCSRA] |= TXC;
	avr_raise_interrupt(avr, &vectors->txc);
	return 0;
}

static void write_data(avr_t *avr, avr_io_addr_t addr, uint8_t byte, void *param)
{
	(void)addr;
	(void)param;
	if (!(avr->data[UCSRB] & TXEN))
		return;
	if (!busy) {
		shift_out(avr, byte);
		avr_cycle_timer_register(avr, BITS_PER_BYTE * cycles_per_bit(avr), on_byte_sent, NULL);
	} else {
		waiting = byte;
		waiting_full = 1;
		avr->data[UCSRA] &= ~UDRE;
		avr_clear_interrupt(avr, &vectors->udrc);
	}
}

static void write_status(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	(void)param;
	/* Only U2X and MPCM are writable; a 1 in TXC clears it. */
	const uint8_t kept = avr->data[addr] & (RXC | UDRE | (value & TXC ? 0 : TXC));
	avr->data[addr] = kept | (value & (U2X | 1));
}

static void write_control(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	const uint8_t newly = value & ~avr->data[addr];

	(void)param;
	avr->data[addr] = value;
	if (newly & UDRIE && avr->data[UCSRA] & UDRE)
		avr_raise_interrupt(avr, &vectors->udrc);
	if (newly & RXCIE && avr->data[UCSRA] & RXC)
		avr_raise_interrupt(avr, &vectors->rxc);
}

static uint8_t read_status(avr_t *avr, avr_io_addr_t addr, void *param)
{
	(void)param;
	return avr->data[addr];
}

static void write_plain(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
	(void)param;
	avr->data[addr] = value;
}

void uart_begin(avr_t *avr, uint32_t baud, uart_output_t output)
{
	vectors = avr->io[AVR_DATA_TO_IO(UDR)].r.param;
	host_baud = baud;
	output_to = output;
	avr->io[AVR_DATA_TO_IO(UDR)].r.c = read_data;
	avr->io[AVR_DATA_TO_IO(UDR)].w.c = write_data;
	avr->io[AVR_DATA_TO_IO(UCSRA)].r.c = read_status;
	avr->io[AVR_DATA_TO_IO(UCSRA)].w.c = write_status;
	avr->io[AVR_DATA_TO_IO(UCSRB)].w.c = write_control;
	/* simavr recomputes (and prints) its own timing when the divider is written. */
	avr->io[AVR_DATA_TO_IO(vectors->r_ucsra + 4)].w.c = write_plain;
	uart_reset(avr);
}

void uart_reset(avr_t *avr)
{
	buffered = shift_full = busy = waiting_full = 0;
	receiving = 0;
	avr->data[UCSRA] = UDRE;
	begin_byte(avr);
}

size_t uart_room(void)
{
	return LINE_SIZE - line_used;
}

size_t uart_send(avr_t *avr, const uint8_t *bytes, size_t size)
{
	if (size > uart_room())
		size = uart_room();
	for (size_t i = 0; i < size; i++)
		line[(line_head + line_used++) % LINE_SIZE] = bytes[i];
	begin_byte(avr);
	return size;
}

struct uart_counts uart_counts(void)
{
	return counts;
}
