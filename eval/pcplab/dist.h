/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions as records hold them: {n, sum, max, hist:[[low, high, count], …]}, bounds
 * inclusive.
 */
#ifndef PCPLAB_DIST_H
#define PCPLAB_DIST_H

#include <glib.h>
#include <jansson.h>

struct dist {
	double n, sum, max;
	GArray *buckets;	/* of struct dist_bucket, in any order until dist_json() */
};

struct dist_bucket {
	long long low, high;
	long long count;
};

/**
 * dist_init() - make an empty distribution
 * @d: where; its buckets are freed by dist_json()
 */
void dist_init(struct dist *d);

/**
 * dist_bucket() - add samples of one bucket; n, sum and max are the caller's
 * @d: the distribution
 * @low: least value of the bucket
 * @high: greatest value of the bucket
 * @count: number of samples
 */
void dist_bucket(struct dist *d, long long low, long long high, long long count);

/**
 * dist_add() - add all samples of a distribution in JSON
 * @d: the distribution
 * @o: object with n, sum, max and hist; NULL adds nothing
 *
 * Return: 0, or -1 when @o is not such an object.
 */
int dist_add(struct dist *d, const json_t *o);

/**
 * dist_json() - finish a distribution
 * @d: the distribution; its buckets are freed
 *
 * Return: a new object with n, sum, max and hist; buckets in ascending order, equal ones joined.
 */
json_t *dist_json(struct dist *d);

#endif
