// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calibrate: the kernel makes things of known size (mm/pcp/bench/calibrate.c), each in a region of
 * its own, and says what an instrument must report. What it says goes out as texts, one for each
 * calibration, for eval/tests/test_calibration.c to compare.
 */
#include <errno.h>
#include <string.h>

#include "guest.h"

static const char *const calibrations[] = {
	"cli", "shadow", "nested", "spinlock", "idle", "iret", "exception", "int3", "nmi_on", "nmi_off",
	"switch", "fault", "smp", "flags", "locked", "xchg128", "stores", "rep",
};

static int run(struct job *job, struct result *res)
{
	char answer[4096];

	if (pin_to_cpu(0))
		return result_fail(res, "cannot pin to CPU 0: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(calibrations) / sizeof(calibrations[0]); i++) {
		int err = device_command(answer, sizeof(answer), "calibrate %s", calibrations[i]);

		if (err && !answer[0])
			return result_skip(res, "the kernel has no /dev/pcplab: build it with CONFIG_PCP_BENCH");
		if (err == -ENODEV)	/* this machine cannot do it, one CPU for instance */
			continue;
		if (err)
			return result_fail(res, "calibration %s: %s", calibrations[i], strerror(-err));
		emit_text(job, calibrations[i], answer, strlen(answer));
		res->ops++;
	}
	res->status = STATUS_OK;
	return 0;
}

GUEST_WORKLOAD(calibrate, run);
