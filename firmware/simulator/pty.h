/* The serial line as a pseudo-terminal that a host program opens. */
#ifndef THISTLEBOT_SIMULATOR_PTY_H
#define THISTLEBOT_SIMULATOR_PTY_H

#include <stddef.h>
#include <stdint.h>

/* Makes the pseudo-terminal and a symbolic link to it; exits with a message if that fails. */
int pty_begin(const char *link_path);

/* What the host has written, up to `size` bytes; 0 if nothing. */
size_t pty_read(uint8_t *bytes, size_t size);

/* A host that does not read loses bytes, as on a real line. */
void pty_write(uint8_t byte);

void pty_end(void);

#endif
