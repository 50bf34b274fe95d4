// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernels that go wrong on purpose: whether a harness notices, and says what it was, can only be
 * known from a kernel that did.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/panic.h>
#include <linux/processor.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/timer.h>

#include "mark.h"

/* Longer than the shortest timeout that RCU's stall detector takes, which is 3 s. */
#define STALL_NS	(5 * NSEC_PER_SEC)

static void trouble_warn(void)
{
	WARN(1, "pcplab: a warning on purpose\n");
}

static void trouble_oops(void)
{
	int *nothing = NULL;

	/* Else the compiler sees what is coming, and puts a trap here. */
	OPTIMIZER_HIDE_VAR(nothing);
	WRITE_ONCE(*nothing, 1);
}

static void trouble_timer(struct timer_list *unused)
{
	trouble_oops();
}

static DEFINE_TIMER(timer, trouble_timer);

/* In interrupt context an oops ends in a panic. */
static void trouble_interrupt(void)
{
	mod_timer(&timer, jiffies + 1);
	msleep(1000);
}

static void trouble_panic(void)
{
	panic("pcplab: a panic on purpose");
}

/*
 * The grace period must begin after our reader did, or it would not wait for it; its thread gets to
 * run since preemption stays on. Halting with the tick running costs nothing under emulation that
 * skips idle time, where a busy loop of this length takes minutes.
 */
static void trouble_stall(void)
{
	u64 end = ktime_get_ns() + STALL_NS;

	rcu_read_lock();
	start_poll_synchronize_rcu();
	while (ktime_get_ns() < end)
		safe_halt();
	rcu_read_unlock();
}

static void trouble_hang(void)
{
	local_irq_disable();
	for (;;)
		cpu_relax();
}

static const struct {
	const char *name;
	void (*make)(void);
} troubles[] = {
	{ "warn", trouble_warn },
	{ "oops", trouble_oops },
	{ "interrupt", trouble_interrupt },
	{ "panic", trouble_panic },
	{ "stall", trouble_stall },
	{ "hang", trouble_hang },
};

int pcp_trouble(const char *name)
{
	for (int i = 0; i < ARRAY_SIZE(troubles); i++) {
		if (strcmp(name, troubles[i].name))
			continue;
		troubles[i].make();
		return 0;
	}
	return -EINVAL;
}
