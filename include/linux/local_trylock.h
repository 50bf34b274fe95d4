/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A lock of one CPU that can be tried: by its tasks, and by interrupts that
 * arrive while a task holds it.
 *
 * It is per-CPU data, and only its own CPU ever touches it: pin the task first,
 * then look the lock up, then take it.
 *
 *   who                       try                     wait
 *   task                      fails if an outer       always gets it; on
 *                             level of this CPU       PREEMPT_RT it may sleep
 *                             has it; on PREEMPT_RT
 *                             if another task has it
 *   softirq, hard interrupt   the same; on PREEMPT_RT never
 *                             hard interrupts fail
 *   NMI                       fails                   never
 *
 * Without PREEMPT_RT the holder has preemption off, so a task that waits never
 * finds the lock taken, and taking it is a plain store: no other CPU looks. An
 * interrupt between the look and the store has let go of the lock by the time
 * it returns, so the look is still true.
 */
#ifndef _LINUX_LOCAL_TRYLOCK_H
#define _LINUX_LOCAL_TRYLOCK_H

#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/local_trylock_types.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>

#ifdef CONFIG_PREEMPT_RT

#define local_trylock_init(l)	spin_lock_init(&(l)->lock)

static inline void local_trylock_pin(void)
{
	migrate_disable();
}

static inline void local_trylock_unpin(void)
{
	migrate_enable();
}

static inline bool local_trylock_try(struct local_trylock *l)
{
	if (unlikely(in_nmi() || in_hardirq()))
		return false;
	return spin_trylock(&l->lock);
}

static inline void local_trylock_wait(struct local_trylock *l)
{
	spin_lock(&l->lock);
}

static inline void local_trylock_unlock(struct local_trylock *l)
{
	spin_unlock(&l->lock);
}

#else /* !CONFIG_PREEMPT_RT */

#ifdef CONFIG_DEBUG_LOCK_ALLOC
#define local_trylock_init(l)						\
do {									\
	static struct lock_class_key key;				\
									\
	(l)->taken = 0;							\
	lockdep_init_map_type(&(l)->dep_map, #l, &key, 0,		\
			      LD_WAIT_CONFIG, LD_WAIT_INV,		\
			      LD_LOCK_PERCPU);				\
} while (0)

static inline void local_trylock_acquire_map(struct local_trylock *l,
					     int trylock)
{
	lock_acquire(&l->dep_map, 0, trylock, 0, 1, NULL, _THIS_IP_);
}

static inline void local_trylock_release_map(struct local_trylock *l)
{
	lock_release(&l->dep_map, _THIS_IP_);
}
#else
static inline void local_trylock_init(struct local_trylock *l)
{
	l->taken = 0;
}

static inline void local_trylock_acquire_map(struct local_trylock *l,
					     int trylock)
{
}

static inline void local_trylock_release_map(struct local_trylock *l)
{
}
#endif

/**
 * local_trylock_pin() - stay on this CPU until local_trylock_unpin()
 *
 * Context: Any. From here to taking the lock, and while it is held.
 */
static inline void local_trylock_pin(void)
{
	preempt_disable();
}

/**
 * local_trylock_unpin() - end what local_trylock_pin() began
 */
static inline void local_trylock_unpin(void)
{
	preempt_enable();
}

/**
 * local_trylock_try() - take the lock if nobody has it
 * @l: this CPU's lock; the caller is pinned
 *
 * Context: Any.
 * Return: Is it taken?
 */
static inline bool local_trylock_try(struct local_trylock *l)
{
	if (unlikely(in_nmi() || READ_ONCE(l->taken)))
		return false;
	WRITE_ONCE(l->taken, 1);
	barrier();
	local_trylock_acquire_map(l, 1);
	return true;
}

/**
 * local_trylock_wait() - take the lock
 * @l: this CPU's lock, the caller is pinned; or one of a CPU that is offline,
 *     by the only task that works on its behalf
 *
 * Context: Task context.
 */
static inline void local_trylock_wait(struct local_trylock *l)
{
	/* Before the flag is set, or lockdep's own interrupts see it and no holder. */
	local_trylock_acquire_map(l, 0);
	WARN_ON_ONCE(READ_ONCE(l->taken));
	WRITE_ONCE(l->taken, 1);
	barrier();
}

/**
 * local_trylock_unlock() - let go of the lock
 * @l: lock that the caller holds
 */
static inline void local_trylock_unlock(struct local_trylock *l)
{
	local_trylock_release_map(l);
	barrier();
	WRITE_ONCE(l->taken, 0);
}

#endif /* CONFIG_PREEMPT_RT */

#endif /* _LINUX_LOCAL_TRYLOCK_H */
