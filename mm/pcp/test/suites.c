// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the suites on demand: writing a suite's name, such as pcp_nested, to
 * /sys/kernel/debug/pcp_kunit runs it, and its report can then be read from
 * /sys/kernel/debug/kunit/<suite>/results.
 *
 * They are not registered with KUnit, because it would run them in every boot.
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "test.h"

static struct kunit_suite *pcp_suites[] = {
	&pcp_contract_suite, &pcp_nested_suite, &pcp_drain_suite,
	&pcp_faults_suite,
};

static ssize_t pcp_kunit_write(struct file *file, const char __user *buf,
			       size_t size, loff_t *pos)
{
	char text[32] = "", *name;
	int i;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, buf, size))
		return -EFAULT;
	name = strim(text);
	for (i = 0; i < ARRAY_SIZE(pcp_suites); i++)
		if (!strcmp(name, pcp_suites[i]->name))
			return __kunit_test_suites_init(&pcp_suites[i], 1) ?:
			       size;
	return -ENOENT;
}

static const struct file_operations pcp_kunit_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = pcp_kunit_write,
};

static int __init pcp_kunit_init(void)
{
	debugfs_create_file("pcp_kunit", 0200, NULL, NULL, &pcp_kunit_fops);
	return 0;
}
late_initcall(pcp_kunit_init);
