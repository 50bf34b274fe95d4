/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The type behind <linux/local_trylock.h>, apart so that a structure can hold
 * one without bringing the operations along.
 */
#ifndef _LINUX_LOCAL_TRYLOCK_TYPES_H
#define _LINUX_LOCAL_TRYLOCK_TYPES_H

#include <linux/lockdep_types.h>
#include <linux/spinlock_types.h>
#include <linux/types.h>

/*
 * Without PREEMPT_RT nobody but an interrupt of this CPU can find the lock
 * taken, so a flag that only this CPU writes is enough. With it the holder can
 * be preempted, and whoever comes then has to be able to wait.
 */
struct local_trylock {
#ifdef CONFIG_PREEMPT_RT
	spinlock_t lock;	/* what the holder sleeps on */
#else
	u8 taken;
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	struct lockdep_map dep_map;
#endif
#endif
};

#endif /* _LINUX_LOCAL_TRYLOCK_TYPES_H */
