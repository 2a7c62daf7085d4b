#define _GNU_SOURCE
#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static int master = -1;
static int slave = -1; /* kept open, so that a host may come and go without a hang-up */
static char link_name[4096];

int pty_begin(const char *link_path)
{
	struct termios raw;
	char name[128];
	char fresh[4200];

	memset(&raw, 0, sizeof raw);
	cfmakeraw(&raw);
	if (openpty(&master, &slave, name, &raw, NULL) != 0) {
		perror("no pseudo-terminal");
		exit(2);
	}
	fcntl(master, F_SETFL, O_NONBLOCK);
	snprintf(link_name, sizeof link_name, "%s", link_path);
	snprintf(fresh, sizeof fresh, "%s.%d", link_path, (int)getpid());
	/* Made beside and renamed: a reader sees no link or a whole one, never a stale one. */
	unlink(fresh);
	if (symlink(name, fresh) != 0 || rename(fresh, link_path) != 0) {
		perror(link_path);
		exit(2);
	}
	return master;
}

size_t pty_read(uint8_t *bytes, size_t size)
{
	const ssize_t got = master < 0 ? 0 : read(master, bytes, size);
	return got > 0 ? (size_t)got : 0;
}

void pty_write(uint8_t byte)
{
	if (master >= 0 && write(master, &byte, 1) != 1 && errno != EAGAIN)
		perror("pseudo-terminal");
}

void pty_end(void)
{
	if (link_name[0])
		unlink(link_name);
	link_name[0] = 0;
}
