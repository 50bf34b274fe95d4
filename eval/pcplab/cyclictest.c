// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads what cyclictest --json writes. */
#include <math.h>
#include <stdlib.h>
#include "dist.h"
#include "foreign.h"

static int add_thread(struct dist *d, const json_t *thread)
{
	const json_t *max = json_object_get(thread, "max"), *avg = json_object_get(thread, "avg");
	long long cycles = json_integer_value(json_object_get(thread, "cycles"));
	long long seen = 0, last = -1;
	const char *key;
	json_t *count;

	if (!json_is_number(max) || !json_is_number(avg) || cycles <= 0)
		return -1;
	json_object_foreach(json_object_get(thread, "histogram"), key, count) {
		long long us = strtoll(key, NULL, 10);

		dist_bucket(d, us, us, json_integer_value(count));
		seen += json_integer_value(count);
		last = MAX(last, us);
	}
	if (seen > cycles || (seen < cycles && json_integer_value(max) <= last))
		return -1;
	dist_bucket(d, last + 1, json_integer_value(max), cycles - seen);
	d->n += cycles;
	d->sum += round(json_number_value(avg) * cycles);
	d->max = MAX(d->max, json_number_value(max));
	return 0;
}

json_t *cyclictest_parse(const char *text)
{
	json_t *top = json_loads(text, 0, NULL), *thread, *out;
	const char *key;
	struct dist d;
	int bad = 0;

	dist_init(&d);
	json_object_foreach(json_object_get(top, "thread"), key, thread)
		bad |= add_thread(&d, thread);
	bad |= d.n == 0;
	json_decref(top);
	out = dist_json(&d);
	if (!bad)
		return out;
	json_decref(out);
	return NULL;
}
