// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist.h"

unsigned int hist_bucket(uint64_t value)
{
	unsigned int top, shift;

	if (value < HIST_EXACT)
		return value;
	top = 63 - __builtin_clzll(value);
	shift = top - HIST_SUB_BITS;
	return HIST_EXACT + ((top - HIST_SUB_BITS - 1) << HIST_SUB_BITS) +
	       ((value >> shift) - (1u << HIST_SUB_BITS));
}

uint64_t hist_low(unsigned int bucket)
{
	unsigned int octave, sub;

	if (bucket < HIST_EXACT)
		return bucket;
	octave = (bucket - HIST_EXACT) >> HIST_SUB_BITS;
	sub = (bucket - HIST_EXACT) & ((1u << HIST_SUB_BITS) - 1);
	return ((uint64_t)sub + (1u << HIST_SUB_BITS)) << (octave + 1);
}

void hist_add(struct hist *h, uint64_t value)
{
	h->n++;
	h->sum += value;
	if (value > h->max)
		h->max = value;
	h->count[hist_bucket(value)]++;
}

json_t *hist_json(const struct hist *h)
{
	json_t *buckets = json_array();

	for (unsigned int i = 0; i < HIST_BUCKETS; i++)
		if (h->count[i])
			json_array_append_new(buckets,
				json_pack("[I,I,I]", (json_int_t)hist_low(i),
					  (json_int_t)(hist_low(i + 1) - 1),
					  (json_int_t)h->count[i]));
	return json_pack("{s:I,s:I,s:I,s:o}", "n", (json_int_t)h->n, "sum", (json_int_t)h->sum,
			 "max", (json_int_t)h->max, "hist", buckets);
}
