// SPDX-License-Identifier: GPL-2.0-only
/* The work items of <work.h>. */
#include "work.h"

DEFINE_PER_CPU(struct pcp_drain, pcp_drains);
