/* The environment of the board: buttons pressed, lines broken, bytes sent. */
#ifndef THISTLEBOT_SIMULATOR_COMMANDS_H
#define THISTLEBOT_SIMULATOR_COMMANDS_H

#include <simavr/sim_avr.h>
#include <stdint.h>

/* Sets the inputs to their resting levels. */
void commands_begin(avr_t *avr, const char *elf_path);

/* Puts the inputs back after a reset. */
void commands_reset(avr_t *avr);

/* Executes one line; a wrong one is reported on standard error. */
void command(avr_t *avr, const char *line);

/* A file of lines `milliseconds command`, executed in simulated time. */
void script_begin(avr_t *avr, const char *path);
void script_poll(avr_t *avr);
uint64_t script_next_cycle(void); /* UINT64_MAX after the last line */

/* Has `quit` been given? */
int quit_requested(void);

#endif
