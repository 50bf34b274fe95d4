// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calibration of an instrument that counts instructions and follows interrupts-off sections.
 *
 * Each calibration runs a payload in a region of its own and states what must be measured. The
 * length of a section is the number of instructions from the one after `cli` to the one after
 * `sti` (whose effect comes one instruction late), or from the first of an entry to the
 * instruction that returns. Where the whole section is assembly the bounds are equal; where the
 * kernel's own code is part of it, they differ by what that code may need.
 *
 * PAYLOAD is well above what a timer interrupt takes, so that it decides the longest section.
 * After an entry that a wrong tracker would leave with interrupts off, interrupts stay on for
 * three times as long: the mistake is longer than anything expected.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/kdebug.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/nmi.h>
#include <asm/sync_core.h>

#include "mark.h"

#define PAYLOAD_TURNS	50000UL
#define PAYLOAD		(2 * PAYLOAD_TURNS)	/* instructions of spin(PAYLOAD_TURNS) */
#define SECTION_EXACT	(PAYLOAD + 2)		/* of section_exact(): `sti` and one more */
#define COUNT		10000UL

/* What the kernel's own code may add to a section, in instructions; with debugging, many more. */
#ifdef CONFIG_PROVE_LOCKING
#define SLACK_FACTOR	20
#else
#define SLACK_FACTOR	1
#endif
#define SLACK_SAVE	(200 * SLACK_FACTOR)
#define SLACK_ENTRY	(6000 * SLACK_FACTOR)
/* What interrupts and other CPUs may add to a count. A thing counted twice is far more. */
#define SLACK_NOISE	2000UL

/* An address in the last page, never mapped: reading it ends in the exception fixup. */
#define UNMAPPED	((u64 *)-4096L)

struct expectation {
	const char *what;	/* a figure in eval/FORMATS.md; irqoff_max is irqoff.all.max */
	unsigned long low, high;
};

struct calibration {
	const char *name;
	int (*prepare)(void);	/* optional, outside the region */
	int (*payload)(void);
	void (*cleanup)(void);	/* optional, outside the region */
	struct expectation expect[6];
};

/* Two instructions a turn, nothing else. */
static __always_inline void spin(unsigned long turns)
{
	asm volatile("1: dec %0\n\tjnz 1b" : "+r" (turns) : : "cc", "memory");
}

static __always_inline void section_exact(void)
{
	unsigned long turns = PAYLOAD_TURNS;

	asm volatile("cli\n"
		     "1: dec %0\n\tjnz 1b\n"
		     "\tsti\n\tnop" : "+r" (turns) : : "cc", "memory");
}

static int run_cli(void)
{
	section_exact();
	spin(3 * PAYLOAD_TURNS);
	return 0;
}

/* The window between `sti` and `cli` is closed by the shadow of `sti`: one section. */
static int run_shadow(void)
{
	unsigned long turns = PAYLOAD_TURNS, again = PAYLOAD_TURNS;

	asm volatile("cli\n"
		     "1: dec %0\n\tjnz 1b\n"
		     "\tsti\n\tcli\n"
		     "2: dec %1\n\tjnz 2b\n"
		     "\tsti\n\tnop" : "+r" (turns), "+r" (again) : : "cc", "memory");
	return 0;
}

static int run_nested(void)
{
	unsigned long outer, inner;

	local_irq_save(outer);
	spin(PAYLOAD_TURNS);
	local_irq_save(inner);
	spin(PAYLOAD_TURNS);
	local_irq_restore(inner);
	spin(PAYLOAD_TURNS);
	local_irq_restore(outer);
	return 0;
}

static DEFINE_RAW_SPINLOCK(lock_outer);
static DEFINE_RAW_SPINLOCK(lock_inner);

static int run_spinlock(void)
{
	unsigned long outer, inner;

	raw_spin_lock_irqsave(&lock_outer, outer);
	spin(PAYLOAD_TURNS);
	raw_spin_lock_irqsave(&lock_inner, inner);
	spin(PAYLOAD_TURNS);
	raw_spin_unlock_irqrestore(&lock_inner, inner);
	spin(PAYLOAD_TURNS);
	raw_spin_unlock_irqrestore(&lock_outer, outer);
	return 0;
}

static int run_idle(void)
{
	unsigned long turns = PAYLOAD_TURNS;

	asm volatile("cli\n"
		     "1: dec %0\n\tjnz 1b\n"
		     "\tsti\n\thlt" : "+r" (turns) : : "cc", "memory");
	spin(3 * PAYLOAD_TURNS);
	return 0;
}

static int run_iret(void)
{
	local_irq_disable();
	spin(PAYLOAD_TURNS);
	sync_core();
	spin(PAYLOAD_TURNS);
	local_irq_enable();
	sync_core();
	spin(6 * PAYLOAD_TURNS);
	return 0;
}

/* A page fault with interrupts off, fixed up; its return must leave them off. */
static int run_exception(void)
{
	u64 value;
	int err;

	local_irq_disable();
	spin(PAYLOAD_TURNS);
	err = copy_from_kernel_nofault(&value, UNMAPPED, sizeof(value));
	spin(PAYLOAD_TURNS);
	local_irq_enable();
	return err == -EFAULT ? 0 : -EIO;
}

static bool int3_expected;

static int int3_event(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event != DIE_INT3 || !int3_expected)
		return NOTIFY_DONE;
	int3_expected = false;
	return NOTIFY_STOP;
}

static struct notifier_block int3_notifier = { .notifier_call = int3_event, .priority = INT_MAX };

static int prepare_int3(void)
{
	return register_die_notifier(&int3_notifier);
}

/* The entry moves this frame before it returns through it. */
static int run_int3(void)
{
	local_irq_disable();
	spin(PAYLOAD_TURNS);
	int3_expected = true;
	asm volatile("int3" : : : "memory");
	spin(PAYLOAD_TURNS);
	local_irq_enable();
	return int3_expected ? -EIO : 0;
}

static void cleanup_int3(void)
{
	unregister_die_notifier(&int3_notifier);
}

static bool nmi_expected;

/* The fault's `iretq` inside ends the blocking of NMIs, but not the NMI. */
static int nmi_event(unsigned int type, struct pt_regs *regs)
{
	u64 value;

	if (!READ_ONCE(nmi_expected))
		return NMI_DONE;
	spin(PAYLOAD_TURNS / 2);
	copy_from_kernel_nofault(&value, UNMAPPED, sizeof(value));
	spin(PAYLOAD_TURNS / 2);
	WRITE_ONCE(nmi_expected, false);
	return NMI_HANDLED;
}

static int prepare_nmi(void)
{
	if (!boot_cpu_has(X86_FEATURE_APIC))
		return -ENODEV;
	return register_nmi_handler(NMI_LOCAL, nmi_event, NMI_FLAG_FIRST, "pcp_calibrate");
}

static int nmi_to_self(void)
{
	WRITE_ONCE(nmi_expected, true);
	__apic_send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	for (int i = 0; i < 1000 && READ_ONCE(nmi_expected); i++)
		spin(100);
	return READ_ONCE(nmi_expected) ? -EIO : 0;
}

static int run_nmi_on(void)
{
	int err;

	preempt_disable();
	err = nmi_to_self();
	spin(3 * PAYLOAD_TURNS);
	preempt_enable();
	return err;
}

static int run_nmi_off(void)
{
	int err;

	local_irq_disable();
	spin(PAYLOAD_TURNS);
	err = nmi_to_self();
	spin(PAYLOAD_TURNS);
	local_irq_enable();
	return err;
}

static void cleanup_nmi(void)
{
	unregister_nmi_handler(NMI_LOCAL, "pcp_calibrate");
}

/* A second thread, for calibrations that need one. Runs `work` once, then waits. */
static struct {
	struct task_struct *task, *caller;
	struct completion go, ready, done;
	void (*work)(void);
	unsigned long addr;
	bool slept;
} peer;

static int peer_main(void *unused)
{
	wait_for_completion(&peer.go);
	if (!kthread_should_stop())
		peer.work();
	complete(&peer.done);
	while (!kthread_should_stop())
		schedule_timeout_uninterruptible(1);
	return 0;
}

static int peer_start(void (*work)(void), unsigned int cpu)
{
	init_completion(&peer.go);
	init_completion(&peer.ready);
	init_completion(&peer.done);
	peer.caller = current;
	peer.work = work;
	peer.slept = false;
	peer.task = kthread_create_on_cpu(peer_main, NULL, cpu, "pcp_calibrate/%u");
	if (IS_ERR(peer.task))
		return PTR_ERR(peer.task);
	wake_up_process(peer.task);
	return 0;
}

static void peer_stop(void)
{
	complete(&peer.go);
	kthread_stop(peer.task);
}

static void peer_wake_caller(void)
{
	wake_up_process(peer.caller);
}

static int prepare_switch(void)
{
	return peer_start(peer_wake_caller, raw_smp_processor_id());
}

/*
 * The peer is woken with interrupts off, so it cannot run before schedule(), where it inherits the
 * section and ends it.
 */
static int run_switch(void)
{
	local_irq_disable();
	set_current_state(TASK_UNINTERRUPTIBLE);
	complete(&peer.go);
	spin(PAYLOAD_TURNS);
	schedule();
	local_irq_enable();
	wait_for_completion(&peer.done);
	return 0;
}

/*
 * Holds what the caller's page fault needs until the caller sleeps in its exception handler, and
 * makes a section of its own then.
 */
static void peer_block_fault(void)
{
	struct mm_struct *mm = peer.caller->mm;

	mmap_write_lock(mm);
	complete(&peer.ready);
	for (int i = 0; i < 100 && !peer.slept; i++) {
		schedule_timeout_uninterruptible(1);
		peer.slept = READ_ONCE(peer.caller->__state) != TASK_RUNNING;
	}
	section_exact();
	mmap_write_unlock(mm);
}

static int prepare_fault(void)
{
	if (!current->mm)
		return -ENODEV;
	peer.addr = vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (IS_ERR_VALUE(peer.addr))
		return peer.addr;
	return peer_start(peer_block_fault, raw_smp_processor_id());
}

static int run_fault(void)
{
	char __maybe_unused value;
	int err;

	complete(&peer.go);
	wait_for_completion(&peer.ready);
	err = get_user(value, (char __user *)peer.addr);
	spin(3 * PAYLOAD_TURNS);
	wait_for_completion(&peer.done);
	return err ?: peer.slept ? 0 : -EIO;
}

static void cleanup_fault(void)
{
	peer_stop();
	vm_munmap(peer.addr, PAGE_SIZE);
}

static int prepare_smp(void)
{
	unsigned int cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());

	if (cpu >= nr_cpu_ids)
		return -ENODEV;
	return peer_start(section_exact, cpu);
}

static int run_smp(void)
{
	complete(&peer.go);
	spin(3 * PAYLOAD_TURNS);
	wait_for_completion(&peer.done);
	return 0;
}

static int run_flags(void)
{
	for (unsigned long i = 0; i < COUNT; i++)
		asm volatile("cli\n\tsti\n\tnop" : : : "memory");
	return 0;
}

static u64 cell[2] __aligned(16);

static int run_locked(void)
{
	unsigned long turns = COUNT, value = 0;

	asm volatile("1: lock incq %2\n\txchgq %1, %2\n\tdec %0\n\tjnz 1b"
		     : "+r" (turns), "+r" (value), "+m" (cell[0]) : : "cc", "memory");
	return 0;
}

static int prepare_xchg128(void)
{
	return boot_cpu_has(X86_FEATURE_CX16) ? 0 : -ENODEV;
}

static int run_xchg128(void)
{
	unsigned long turns = COUNT, low = 0, high = 0;

	asm volatile("1: lock cmpxchg16b %3\n\tdec %0\n\tjnz 1b"
		     : "+r" (turns), "+a" (low), "+d" (high), "+m" (cell)
		     : "b" (1UL), "c" (1UL) : "cc", "memory");
	return 0;
}

static int run_stores(void)
{
	unsigned long turns = COUNT;

	asm volatile("1: movq %0, %1\n\tmovq %0, 8+%1\n\tdec %0\n\tjnz 1b"
		     : "+r" (turns), "+o" (cell) : : "cc", "memory");
	return 0;
}

static u64 block[64];

static int run_rep(void)
{
	for (unsigned long i = 0; i < COUNT; i++) {
		unsigned long n = ARRAY_SIZE(block);
		void *to = block;

		asm volatile("rep stosq" : "+c" (n), "+D" (to) : "a" (i) : "memory");
	}
	return 0;
}

#define EXACTLY(figure, n)		{ figure, n, n }
/* A string instruction that is interrupted and resumed loses a little. */
#define REP_ITERS			(COUNT * (ARRAY_SIZE(block) - 1))
#define FROM(figure, n, slack)		{ figure, n, (n) + (slack) }

static const struct calibration calibrations[] = {
	{ "cli", NULL, run_cli, NULL, { EXACTLY("irqoff_max", SECTION_EXACT) } },
	{ "shadow", NULL, run_shadow, NULL, { EXACTLY("irqoff_max", 2 * PAYLOAD + 4) } },
	{ "nested", NULL, run_nested, NULL, { FROM("irqoff_max", 3 * PAYLOAD, SLACK_SAVE) } },
	{ "spinlock", NULL, run_spinlock, NULL, { FROM("irqoff_max", 3 * PAYLOAD, SLACK_SAVE) } },
	{ "idle", NULL, run_idle, NULL, { EXACTLY("irqoff_max", SECTION_EXACT) } },
	{ "iret", NULL, run_iret, NULL, { FROM("irqoff_max", 2 * PAYLOAD, SLACK_SAVE) } },
	{ "exception", NULL, run_exception, NULL,
	  { FROM("irqoff_max", 2 * PAYLOAD, SLACK_ENTRY) } },
	{ "int3", prepare_int3, run_int3, cleanup_int3,
	  { FROM("irqoff_max", 2 * PAYLOAD, SLACK_ENTRY) } },
	{ "nmi_on", prepare_nmi, run_nmi_on, cleanup_nmi,
	  { FROM("irqoff_max", PAYLOAD, 2 * SLACK_ENTRY) } },
	{ "nmi_off", prepare_nmi, run_nmi_off, cleanup_nmi,
	  { FROM("irqoff_max", 3 * PAYLOAD, 2 * SLACK_ENTRY) } },
	{ "switch", prepare_switch, run_switch, peer_stop,
	  { FROM("irqoff_max", PAYLOAD, 2 * SLACK_ENTRY) } },
	{ "fault", prepare_fault, run_fault, cleanup_fault,
	  { EXACTLY("irqoff_max", SECTION_EXACT) } },
	{ "smp", prepare_smp, run_smp, peer_stop, { EXACTLY("irqoff_max", SECTION_EXACT) } },
	{ "flags", NULL, run_flags, NULL,
	  { FROM("cli", COUNT, SLACK_NOISE), FROM("sti", COUNT, SLACK_NOISE) } },
	{ "locked", NULL, run_locked, NULL,
	  { FROM("locked", 2 * COUNT, SLACK_NOISE), FROM("xchg128", 0, SLACK_NOISE) } },
	{ "xchg128", prepare_xchg128, run_xchg128, NULL,
	  { FROM("locked", COUNT, SLACK_NOISE), FROM("xchg128", COUNT, SLACK_NOISE) } },
	{ "stores", NULL, run_stores, NULL, { FROM("stores", 2 * COUNT, SLACK_ENTRY) } },
	{ "rep", NULL, run_rep, NULL,
	  { { "rep_iters", REP_ITERS - SLACK_NOISE, REP_ITERS + SLACK_NOISE },
	    FROM("insns", 2 * COUNT, 10 * COUNT) } },
};

static int calibration_run(const struct calibration *c)
{
	int err = c->prepare ? c->prepare() : 0;

	if (err)
		return err;
	pcp_mark_arm();
	pcp_mark_begin();
	err = c->payload();
	pcp_mark_end();
	if (c->cleanup)
		c->cleanup();
	return err;
}

static void calibration_report(const struct calibration *c, char *result, size_t size)
{
	size_t len = scnprintf(result, size,
			       "{\"name\":\"%s\",\"region\":%d,\"error\":null,\"expect\":{",
			       c->name, pcp_mark_region());

	for (int i = 0; i < ARRAY_SIZE(c->expect) && c->expect[i].what; i++)
		len += scnprintf(result + len, size - len, "%s\"%s\":[%lu,%lu]", i ? "," : "",
				 c->expect[i].what, c->expect[i].low, c->expect[i].high);
	scnprintf(result + len, size - len, "}}");
}

int pcp_calibrate(const char *name, char *result, size_t size)
{
	for (int i = 0; i < ARRAY_SIZE(calibrations); i++) {
		int err;

		if (strcmp(name, calibrations[i].name))
			continue;
		err = calibration_run(&calibrations[i]);
		if (!err)
			calibration_report(&calibrations[i], result, size);
		return err;
	}
	return -EINVAL;
}
