# SPDX-License-Identifier: GPL-2.0-only
obj-$(CONFIG_PCP_BENCH)	+= pcp/bench/bench.o pcp/bench/mark.o pcp/bench/calibrate.o \
			   pcp/bench/trouble.o pcp/bench/balance.o
obj-$(CONFIG_PCP_PROBE)	+= pcp/bench/probe.o
obj-$(if $(CONFIG_PCP_PROBE),$(CONFIG_MEMORY_HOTREMOVE)) += pcp/bench/blocks.o
CFLAGS_page_alloc.o	+= $(if $(CONFIG_PCP_PROBE),-DPCP_PROBE_H='"bench/probe.h"')

ifdef CONFIG_PCP_REFERENCE
page-alloc-y := $(patsubst page_alloc.o,pcp/bench/reference.o,$(page-alloc-y))
CFLAGS_pcp/bench/reference.o += -I$(srctree)/mm
# The reference keeps as a flag what the contract gave a byte of its own.
CFLAGS_pcp/bench/reference.o += -D'PCPF_FREE_HIGH_BATCH=BIT(1)'
KCSAN_SANITIZE_pcp/bench/reference.o := n
KCOV_INSTRUMENT_pcp/bench/reference.o := n
endif
