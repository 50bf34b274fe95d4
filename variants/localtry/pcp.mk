# SPDX-License-Identifier: GPL-2.0-only
pcp-exclusion-$(CONFIG_PCP_LOCALTRY)	:= localtry/exclusion.h
obj-$(CONFIG_PCP_LOCALTRY)		+= pcp/localtry/work.o
