/* USART 0 as in the data sheet, in place of simavr's.
 *
 * simavr 1.6 counts 11 bits a byte and keeps 64 received bytes. The chip counts 10 with 8N1, keeps two
 * received bytes and a third in its shift register, and loses that one when a fourth begins. */
#ifndef THISTLEBOT_SIMULATOR_UART_H
#define THISTLEBOT_SIMULATOR_UART_H

#include <simavr/sim_avr.h>
#include <stddef.h>
#include <stdint.h>

struct uart_counts {
	uint64_t received; /* bytes that reached the chip */
	uint64_t overrun;  /* of these, lost because the firmware was too slow */
	uint64_t sent;
};

typedef void (*uart_output_t)(uint64_t cycle, uint8_t byte);

/* After avr_init and after loading the firmware. Each byte of the board goes to `output`. */
void uart_begin(avr_t *avr, uint32_t host_baud, uart_output_t output);

/* The chip was reset: data in transit is lost. */
void uart_reset(avr_t *avr);

/* Puts bytes on the line to the board, one after the other; returns how many there was room for. */
size_t uart_send(avr_t *avr, const uint8_t *bytes, size_t size);
size_t uart_room(void);

struct uart_counts uart_counts(void);

#endif
