# SPDX-License-Identifier: GPL-2.0-only
obj-$(CONFIG_PCP_KUNIT_TEST)	+= pcp/test/pages.o pcp/test/block.o pcp/test/crew.o \
				   pcp/test/contract.o pcp/test/nested.o pcp/test/drain.o \
				   pcp/test/faults.o pcp/test/suites.o
