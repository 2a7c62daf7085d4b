#include "record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

static FILE *record;

void record_begin(avr_t *avr, const char *path)
{
	if (!path)
		return;
	record = fopen(path, "w");
	if (!record) {
		perror(path);
		exit(2);
	}
	setvbuf(record, NULL, _IOFBF, 1 << 16);
	fprintf(record, "# thistlebot edges 1, %s at %u Hz: cycle channel kind level\n", avr->mmcu,
		avr->frequency);
}

void record_note(uint64_t cycle, int channel, const char *kind, long level)
{
	if (!record)
		return;
	if (channel < 0)
		fprintf(record, "%" PRIu64 " - %s %ld\n", cycle, kind, level);
	else
		fprintf(record, "%" PRIu64 " %d %s %ld\n", cycle, channel, kind, level);
}

void record_mark(avr_t *avr)
{
	record_note(clock_now(avr), -1, "flush", 1);
	if (record)
		fprintf(record, "# flushed\n");
	record_flush();
}

void record_flush(void)
{
	if (record)
		fflush(record);
}

void record_end(void)
{
	if (record)
		fclose(record);
	record = NULL;
}
