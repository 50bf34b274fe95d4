// SPDX-License-Identifier: GPL-2.0-only
/* Keeps a kernel with the floor 'none' to one CPU. */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/panic.h>
#include <linux/printk.h>

#include "floor.h"

bool pcp_unguarded;

static int pcp_none_prepare(unsigned int cpu)
{
	pr_err("pcp: CPU %u stays offline, the floor 'none' is right with one CPU only\n",
	       cpu);
	return -EPERM;
}

static int __init pcp_none_init(void)
{
	if (num_online_cpus() > 1)
		panic("pcp: the floor 'none' is right with one CPU only, and %u are online: boot with maxcpus=1",
		      num_online_cpus());
	return cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "mm/pcp:none",
					 pcp_none_prepare, NULL) < 0;
}
core_initcall(pcp_none_init);
