// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loses and doubles pages. All state is this CPU's, and touched only inside a
 * section. An interrupt may nest a section of another zone on it: then nothing
 * was handed out as far as we can tell, or another page goes wrong instead.
 */
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/mmzone.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>

#include "busted.h"

#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "pcp_busted."

static unsigned int lose;
module_param(lose, uint, 0644);
MODULE_PARM_DESC(lose, "Forget a page once in so many sections; 0: never");

static unsigned int twice;
module_param_named(double, twice, uint, 0644);
MODULE_PARM_DESC(double, "Hand a page out twice once in so many; 0: never");

/* Only order 0: pindex below MIGRATE_PCPTYPES. */
struct pcp_busted {
	unsigned int sections, handed_out;
	struct page *first[MIGRATE_PCPTYPES];
	int count;
};

static DEFINE_PER_CPU(struct pcp_busted, pcp_busted);

/* Is it the turn of something that goes wrong once in @rate times? */
static bool pcp_busted_due(unsigned int *counter, unsigned int rate)
{
	if (!rate || ++*counter < rate)
		return false;
	*counter = 0;
	return true;
}

void pcp_busted_look(struct per_cpu_pages *pcp)
{
	struct pcp_busted *busted = this_cpu_ptr(&pcp_busted);

	busted->count = pcp->count;
	for (int i = 0; i < MIGRATE_PCPTYPES; i++)
		busted->first[i] = list_first_entry_or_null(&pcp->lists[i],
							    struct page, pcp_list);
}

void pcp_busted_lose(struct per_cpu_pages *pcp)
{
	struct pcp_busted *busted = this_cpu_ptr(&pcp_busted);

	if (!pcp_busted_due(&busted->sections, READ_ONCE(lose)))
		return;
	for (int i = 0; i < MIGRATE_PCPTYPES; i++) {
		if (list_empty(&pcp->lists[i]))
			continue;
		list_del(pcp->lists[i].next);
		pcp->count--;
		return;
	}
}

/* One page less, and it was the first of its list: an allocation got it. */
void pcp_busted_double(struct per_cpu_pages *pcp)
{
	struct pcp_busted *busted = this_cpu_ptr(&pcp_busted);

	if (pcp->count != busted->count - 1)
		return;
	for (int i = 0; i < MIGRATE_PCPTYPES; i++) {
		struct page *page = busted->first[i];

		if (!page || page == list_first_entry_or_null(&pcp->lists[i],
							      struct page, pcp_list))
			continue;
		if (pcp_busted_due(&busted->handed_out, READ_ONCE(twice))) {
			list_add(&page->pcp_list, &pcp->lists[i]);
			pcp->count++;
		}
		return;
	}
}
