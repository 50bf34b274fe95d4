/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Log-linear histogram of section lengths: exact below 64, 32 buckets per power of two above, so a
 * bucket is never wider than 1/32 of its lower bound.
 */
#ifndef PCPMETER_HIST_H
#define PCPMETER_HIST_H

#include <jansson.h>
#include <stdint.h>

#define HIST_SUB_BITS	5
#define HIST_EXACT	(2u << HIST_SUB_BITS)
#define HIST_BUCKETS	(HIST_EXACT + ((63 - HIST_SUB_BITS) << HIST_SUB_BITS))

struct hist {
	uint64_t n, sum, max;
	uint64_t count[HIST_BUCKETS];
};

/**
 * hist_add() - count one value
 * @h: histogram; all zero is an empty one
 * @value: the value, in whatever unit the histogram is of
 */
void hist_add(struct hist *h, uint64_t value);

/**
 * hist_bucket() - which bucket a value belongs to
 * @value: any value
 *
 * Return: index into hist.count.
 */
unsigned int hist_bucket(uint64_t value);

/**
 * hist_low() - lower bound of a bucket
 * @bucket: index into hist.count, or HIST_BUCKETS for the end of the last one
 *
 * Return: the smallest value of the bucket; hist_low(bucket + 1) - 1 is the largest.
 */
uint64_t hist_low(unsigned int bucket);

/**
 * hist_json() - the histogram as an object of eval/FORMATS.md
 * @h: histogram
 *
 * Return: a new reference to {"n","sum","max","hist"}, NULL when out of memory.
 */
json_t *hist_json(const struct hist *h);

#endif
