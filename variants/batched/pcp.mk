# SPDX-License-Identifier: GPL-2.0-only
pcp-bound-$(CONFIG_PCP_BATCHED)	:= batched/bound.h
obj-$(CONFIG_PCP_BATCHED)	+= pcp/batched/relock.o
