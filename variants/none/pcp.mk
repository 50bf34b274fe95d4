# SPDX-License-Identifier: GPL-2.0-only
pcp-exclusion-$(CONFIG_PCP_NONE)	:= none/exclusion.h
obj-$(CONFIG_PCP_NONE)			+= pcp/none/floor.o
