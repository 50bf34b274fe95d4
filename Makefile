# SPDX-License-Identifier: GPL-2.0-or-later
# pcplab: 'make' alone prints help.

B		:= build
VARIANT		?= stock
FLAVOR		?= perf
SPEC		?= quick
CC		:= gcc
UCFLAGS		:= -std=gnu11 -O2 -g -Wall -Wextra -Wmissing-prototypes -Wshadow
SANITIZE	:= -fsanitize=address,undefined -fno-omit-frame-pointer

PROGRAMS	:=
CHECKS		:=
BOOT_CHECKS	:=

.PHONY: help deps programs eval test test-all check tree menuconfig kernel branches \
	report clean distclean boot-checks soak

help:
	@sed -n 's/^## \{0,1\}//p' Makefile

include $(wildcard eval/*/Makefile.inc)

## pcplab: compare designs of the page allocator's per-CPU lists
##
##   make eval         everything: packages, kernels, guests, report
##   make test         the project's tests
##
##   make eval SPEC=quick         another experiment from eval/specs/
##   make check                   user-space tests only, under a minute
##   make test-all                the tests, in every flavour
##   make soak MINUTES=30 VARIANT=    the stress for so long, in one design or in each; goes on where it was
##   make report                  the report of the newest run again
##
##   make deps                    install the Debian packages needed
##   make tree                    prepare the kernel tree in build/linux
##   make menuconfig VARIANT= FLAVOR=   look at a configuration
##   make kernel VARIANT= FLAVOR=       build one kernel
##   make branches                a git branch for each design
##   KSRC=DIR                     with any of these: a 6.12 tree of yours
##
##   make clean                   remove build/ but the kernel objects
##   make distclean               remove build/ and results/
##
## More: build/pcplab --help, README.md

deps:
	@scripts/deps.sh

# The rest of the build needs the packages; a second make finds them.
eval: deps
	@$(MAKE) -s -j2 --no-print-directory programs
	@$(B)/pcplab eval eval/specs/$(SPEC).yaml

programs: $(PROGRAMS)
	@:

report: $(B)/pcplab
	@$(B)/pcplab stats && $(B)/pcplab report

tree: deps
	@scripts/tree.sh

kernel: deps
	@scripts/kernel.sh $(VARIANT) $(FLAVOR)

menuconfig: deps
	@CONFIG_ONLY=1 scripts/kernel.sh $(VARIANT) $(FLAVOR)
	@$(MAKE) -C $(B)/linux O=$(abspath $(B))/obj/$(FLAVOR) menuconfig

branches: deps
	@scripts/branches.sh

check: deps
	@$(MAKE) -s -j2 --no-print-directory programs $(CHECKS)
	@scripts/check.sh $(CHECKS)

SOAK_VARIANTS	?= stock batched follow pin refill localtry ipi

soak: FLAVOR := $(if $(filter command line environment,$(origin FLAVOR)),$(FLAVOR),debug)
soak: deps
	@$(MAKE) -s -j2 --no-print-directory programs
	@scripts/soak.sh "$(MINUTES)" $(FLAVOR) $(if $(filter command line environment,$(origin VARIANT)),$(VARIANT),$(SOAK_VARIANTS))

boot-checks:
	@echo $(BOOT_CHECKS)

test: deps
	@scripts/test.sh

test-all: deps
	@scripts/test.sh all

clean:
	rm -rf $(filter-out $(B)/linux $(B)/obj $(B)/pristine $(B)/base,$(wildcard $(B)/*))

distclean:
	rm -rf $(B) results
