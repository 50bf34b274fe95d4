// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes memory blocks offline and back, as their files in sysfs do, for tests that
 * also remove blocks. A write to such a file, and the removal of the file under
 * the memory hotplug lock, look to lockdep like a deadlock (they are not, both
 * hold device_hotplug_lock), and after its report lockdep sees nothing more.
 */
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/init.h>
#include <linux/memory.h>
#include <linux/memory_hotplug.h>

static int pcp_block_set(u64 block, int (*set)(struct device *dev))
{
	struct memory_block *mem;
	int err = -ENODEV;

	lock_device_hotplug();
	/* A block is as large as a section here, or the number is that of its first. */
	mem = find_memory_block(block * (memory_block_size_bytes() >> PA_SECTION_SHIFT));
	if (mem) {
		mem->online_type = MMOP_ONLINE_MOVABLE;
		err = set(&mem->dev);
		put_device(&mem->dev);
	}
	unlock_device_hotplug();
	/* Positive: it was so already. */
	return err < 0 ? err : 0;
}

static int pcp_block_offline(void *unused, u64 block)
{
	return pcp_block_set(block, device_offline);
}

static int pcp_block_online(void *unused, u64 block)
{
	return pcp_block_set(block, device_online);
}

DEFINE_DEBUGFS_ATTRIBUTE(pcp_block_offline_fops, NULL, pcp_block_offline, "%llu\n");
DEFINE_DEBUGFS_ATTRIBUTE(pcp_block_online_fops, NULL, pcp_block_online, "%llu\n");

static int __init pcp_block_init(void)
{
	debugfs_create_file("pcp_block_offline", 0200, NULL, NULL, &pcp_block_offline_fops);
	debugfs_create_file("pcp_block_online", 0200, NULL, NULL, &pcp_block_online_fops);
	return 0;
}
late_initcall(pcp_block_init);
