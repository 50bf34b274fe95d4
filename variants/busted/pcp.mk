# SPDX-License-Identifier: GPL-2.0-only
pcp-exclusion-$(CONFIG_PCP_BUSTED)	:= busted/exclusion.h
obj-$(CONFIG_PCP_BUSTED)		+= pcp/busted/busted.o
