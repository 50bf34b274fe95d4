# SPDX-License-Identifier: GPL-2.0-only
pcp-exclusion-$(CONFIG_PCP_IPI)	:= ipi/exclusion.h
