// SPDX-License-Identifier: GPL-2.0-or-later
/* Swap on zram: what mkswap and swapon do, by system calls. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/swap.h>
#include <unistd.h>

#include "sys.h"

#define ZRAM		"/dev/zram0"
#define ZRAM_SYS	"/sys/block/zram0"

/* The first page of a swap space, as the kernel reads it (include/linux/swap.h). */
struct swap_header {
	char boot[1024];
	uint32_t version, last_page, nr_badpages;
	char rest[4096 - 1024 - 12 - 10];
	char magic[10];
};

static int write_header(unsigned int mb)
{
	struct swap_header h = { .version = 1, .last_page = MB_PAGES(mb) - 1 };
	int fd = open(ZRAM, O_WRONLY | O_CLOEXEC);
	int ret = -1;

	memcpy(h.magic, "SWAPSPACE2", sizeof(h.magic));
	if (fd < 0)
		return -1;
	if (write(fd, &h, sizeof(h)) == sizeof(h))
		ret = fsync(fd);
	close(fd);
	return ret;
}

int zram_swap_on(unsigned int mb, struct result *res)
{
	int err = sys_write_long(ZRAM_SYS "/disksize", mb * 1024L * 1024L);

	if (err)
		return result_fail(res, "cannot size zram0: %s: has the kernel CONFIG_ZRAM=y?", strerror(-err));
	if (write_header(mb))
		return result_fail(res, "cannot write to %s: %s", ZRAM, strerror(errno));
	if (swapon(ZRAM, 0))
		return result_fail(res, "cannot swap to %s: %s", ZRAM, strerror(errno));
	return 0;
}

int zram_swap_off(struct result *res)
{
	int err;

	if (swapoff(ZRAM))
		return result_fail(res, "cannot end swapping: %s", strerror(errno));
	err = sys_write(ZRAM_SYS "/reset", "1");
	return err ? result_fail(res, "cannot reset zram0: %s", strerror(-err)) : 0;
}
