// SPDX-License-Identifier: GPL-2.0-or-later
/* stress: everything at once for a time, then the balance of pages. */
#include <string.h>

#include "stress.h"

#define SWAP_MB		512
/* What the kernel sets aside by itself in so small a guest is less than its lists hold, and swapping needs memory. */
#define RESERVE_KB	16384
/* Pages that may come and go without anybody's fault: blocks that are not compound. */
#define LOST_BOUND	64
#define SETTLE_TRIES	8
#define HUNG_SECS	240

struct balance {
	json_int_t managed, free, buddy, lists, lost;
};

static int take_balance(struct balance *b, struct result *res)
{
	char answer[DEVICE_ANSWER_MAX];
	int err = device_command(answer, sizeof(answer), "balance");
	json_t *o = err ? NULL : json_loads(answer, 0, NULL);

	memset(b, 0, sizeof(*b));
	if (json_unpack(o, "{s:I, s:I, s:I, s:I, s:I}", "managed", &b->managed, "free", &b->free,
			"buddy", &b->buddy, "lists", &b->lists, "lost", &b->lost))
		result_fail(res, "cannot get the balance of pages: %s",
			    err ? strerror(-err) : answer);
	json_decref(o);
	return b->managed ? 0 : -1;
}

/* Things that are freed late settle within some tries; what is lost does not. */
static int settle(struct balance *best, struct result *res)
{
	struct balance b;

	for (int i = 0; i < SETTLE_TRIES; i++) {
		sys_write("/proc/sys/vm/drop_caches", "3");
		sys_sleep_ms(300);
		if (take_balance(&b, res))
			return -1;
		if (!i || b.lost < best->lost)
			*best = b;
	}
	return 0;
}

static int pauses(struct result *res)
{
	char answer[DEVICE_ANSWER_MAX];
	json_t *o;

	if (device_command(answer, sizeof(answer), "pauses"))
		return 0;
	o = json_loads(answer, 0, NULL);
	result_metric(res, "pauses", json_integer_value(json_object_get(o, "pauses")));
	result_metric(res, "moved", json_integer_value(json_object_get(o, "moved")));
	json_decref(o);
	return 0;
}

static int judge(const struct balance *before, const struct balance *after, long swapped, struct result *res)
{
	result_metric(res, "swapped_pages", swapped);
	result_metric(res, "lost_before", before->lost);
	result_metric(res, "lost_after", after->lost);
	result_metric(res, "free_before", before->free);
	result_metric(res, "free_after", after->free);
	if (swapped <= 0)
		return result_fail(res, "nothing was swapped out: is the guest too large?");
	if (after->managed != before->managed)
		return result_fail(res, "the zones have %lld pages, and had %lld: the memory module is still there",
				   after->managed, before->managed);
	if (after->lists < 0)
		return result_fail(res, "the lists say that they hold %lld pages", after->lists);
	if (after->lost - before->lost > LOST_BOUND)
		return result_fail(res, "%lld pages have no user and are nowhere, %lld more than before; allowed are %d",
				   after->lost, after->lost - before->lost, LOST_BOUND);
	return 0;
}

static int run(struct job *job, struct result *res)
{
	unsigned int mask = job_param(job, "hotplug") ? ACT_ALL : ACT_ALL & ~(ACT(CPU) | ACT(BLOCK) | ACT(DIMM));
	struct stress *s = stress_new(job);
	struct balance before, after;
	long swapped;

	if (!s)
		return result_fail(res, "no memory to share with the activities");
	/* A kernel without the probe relocks all the same, if less often on another CPU. */
	sys_write("/sys/module/pcp_probe/parameters/pause_every", "16");
	sys_write_long("/proc/sys/vm/min_free_kbytes", RESERVE_KB);
	/* To empty a memory module that is full, with nowhere to go, may take minutes; stop() waits as long. */
	sys_write_long("/proc/sys/kernel/hung_task_timeout_secs", HUNG_SECS);
	/* Let one task reclaim for all: many that do it at once spend the time in each other's way. */
	sys_write_long("/proc/sys/vm/watermark_scale_factor", 300);
	if (settle(&before, res) || zram_swap_on(SWAP_MB, res))
		return -1;
	swapped = sys_read_field("/proc/vmstat", "pswpout");
	if (stress_run(s, mask, job_param(job, "secs"), res))
		return -1;
	swapped = sys_read_field("/proc/vmstat", "pswpout") - swapped;
	pauses(res);
	if (zram_swap_off(res) || settle(&after, res))
		return -1;
	res->ops = s->done[ACT_TOUCH];
	return judge(&before, &after, swapped, res);
}

GUEST_WORKLOAD(stress, run);
