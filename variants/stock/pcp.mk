# SPDX-License-Identifier: GPL-2.0-only
pcp-exclusion-$(CONFIG_PCP_SPIN)	:= stock/exclusion.h
pcp-bound-$(CONFIG_PCP_WHOLE)		:= stock/bound.h
