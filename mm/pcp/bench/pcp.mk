# SPDX-License-Identifier: GPL-2.0-only
obj-$(CONFIG_PCP_BENCH)	+= pcp/bench/bench.o pcp/bench/mark.o pcp/bench/calibrate.o \
			   pcp/bench/trouble.o

ifdef CONFIG_PCP_REFERENCE
page-alloc-y := $(patsubst page_alloc.o,pcp/bench/reference.o,$(page-alloc-y))
CFLAGS_pcp/bench/reference.o += -I$(srctree)/mm
KCSAN_SANITIZE_pcp/bench/reference.o := n
KCOV_INSTRUMENT_pcp/bench/reference.o := n
endif
