#include "board_pins.h"

#include <stddef.h>
#include <string.h>

static struct board_pins *boards;
static const struct board_pins *chosen;

void board_pins_add(struct board_pins *board)
{
	board->next = boards;
	boards = board;
}

int board_pins_choose(const char *name)
{
	for (const struct board_pins *board = boards; board; board = board->next)
		if (strcmp(board->name, name) == 0)
			chosen = board;
	return chosen != NULL;
}

const char *board_of_mcu(const char *mcu)
{
	if (strcmp(mcu, "atmega328p") == 0)
		return "uno";
	return strcmp(mcu, "atmega2560") == 0 ? "mega" : NULL;
}

const struct board_pins *board_pins(void)
{
	return chosen;
}
