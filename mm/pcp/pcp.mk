# SPDX-License-Identifier: GPL-2.0-only
# Included by mm/Makefile. Each folder says in its own pcp.mk which of the two
# implementation headers it provides under which option.

include $(wildcard $(srctree)/mm/pcp/*/pcp.mk)

pcp-headers := -DPCP_EXCLUSION_H='"$(pcp-exclusion-y)"' \
	       -DPCP_BOUND_H='"$(pcp-bound-y)"' -I$(srctree)/mm/pcp

CFLAGS_page_alloc.o += $(pcp-headers)
