// SPDX-License-Identifier: GPL-2.0-or-later
/* One line that is rewritten on a terminal; a line a boot elsewhere. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "stages.h"

struct cell_time {
	double sum;
	unsigned int n;
};

void progress_init(struct progress *p, size_t total, size_t done)
{
	*p = (struct progress){
		.total = total, .done = done, .at_start = done, .tty = isatty(STDOUT_FILENO)
	};
	p->seconds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

/* Boots of a name not seen yet are taken to last as long as the average of the others. */
static double time_left(struct progress *p, const json_t *plan, size_t from, GHashTable *finished)
{
	double known = 0, all_sum = 0;
	unsigned int unknown = 0, all_n = 0;
	GHashTableIter it;
	gpointer v;

	g_hash_table_iter_init(&it, p->seconds);
	while (g_hash_table_iter_next(&it, NULL, &v)) {
		all_sum += ((struct cell_time *)v)->sum;
		all_n += ((struct cell_time *)v)->n;
	}
	if (!all_n)
		return -1;
	for (size_t i = from; i < json_array_size(plan); i++) {
		const json_t *b = json_array_get(plan, i);
		struct cell_time *t = g_hash_table_lookup(p->seconds, j_str(b, "cell"));

		if (g_hash_table_contains(finished, j_str(b, "boot")))
			continue;
		if (t)
			known += t->sum / t->n;
		else
			unknown++;
	}
	return known + unknown * all_sum / all_n;
}

void progress_boot(struct progress *p, const json_t *plan, size_t i, GHashTable *finished)
{
	const json_t *b = json_array_get(plan, i);
	double left = time_left(p, plan, i, finished);
	g_autofree char *eta =
		left < 0 ? g_strdup("") :
			   g_strdup_printf(", %d:%02d left", (int)left / 60, (int)left % 60);

	if (opts.quiet)
		return;
	printf("%s%zu/%zu  %s: %s, run %lld%s%s", p->tty ? "\r\033[K" : "", p->done, p->total,
	       j_str(b, "variant"), j_str(b, "cell"), j_int(b, "run"), eta, p->tty ? "" : "\n");
	fflush(stdout);
}

void progress_tell(struct progress *p, const json_t *boot, const char *text)
{
	if (opts.quiet)
		return;
	printf("%s%zu/%zu  %s: %s%s", p->tty ? "\r\033[K" : "", p->done, p->total, j_str(boot, "variant"),
	       text, p->tty ? "" : "\n");
	fflush(stdout);
}

void progress_end(struct progress *p, const json_t *boot, const char *status, const char *reason,
		  double seconds)
{
	struct cell_time *t = g_hash_table_lookup(p->seconds, j_str(boot, "cell"));

	if (!t) {
		t = g_new0(struct cell_time, 1);
		g_hash_table_insert(p->seconds, g_strdup(j_str(boot, "cell")), t);
	}
	t->sum += seconds;
	t->n++;
	p->done++;
	if (!strcmp(status, "ok") || opts.quiet)
		return;
	printf("%s%s (%s: %s, run %lld): %s: %s\n", p->tty ? "\r\033[K" : "", j_str(boot, "boot"),
	       j_str(boot, "variant"), j_str(boot, "cell"), j_int(boot, "run"), status,
	       reason ? reason : "");
}

void progress_free(struct progress *p)
{
	if (p->tty && !opts.quiet && p->done > p->at_start)
		printf("\r\033[K");
	fflush(stdout);
	g_hash_table_destroy(p->seconds);
}
