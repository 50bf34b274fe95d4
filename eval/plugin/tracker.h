/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the interrupt flag of one virtual CPU through the instructions that change it, and
 * measures sections with interrupts off. Pure logic, fed with events.
 *
 * Time is the number of instructions that the virtual CPU has started; the index of an event is
 * that number before the event's own instruction. A section is the instructions during which an
 * interrupt that arrives has to wait:
 *
 *	opened by cli at index c		from c + 1
 *	opened by an entry, first insn at e	from e
 *	closed by sti at index s		up to and with s + 1 (the shadow of sti)
 *	closed by iretq or sysretq at r		up to and with r
 *
 * What an entry means:
 *
 *	interrupt	the flag was on: it opens a section
 *	syscall		came from user space: as an interrupt
 *	exception	keeps the flag that it found with its frame, and turns it off
 *	NMI		as an exception, but leaves by any of several iretq
 *
 * What an iretq means: in the NMI's text, the end of an NMI, or another turn when it goes to
 * repeat_nmi; elsewhere in the entry text, a return to user space (always on) or to the kernel (the
 * flag kept with that frame; a frame that nobody kept is of an interrupt); outside the entry text
 * it serializes the CPU and changes nothing. A task can leave a CPU in the middle of a handler and
 * return on another, so frames are shared by all virtual CPUs.
 *
 * A section whose beginning was not seen (before the region) is not counted.
 */
#ifndef PCPMETER_TRACKER_H
#define PCPMETER_TRACKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "hist.h"

/* What ran inside a section; one that ran several belongs to the first. */
enum hold { HOLD_SPILL, HOLD_REFILL, HOLD_DECAY, HOLD_DRAIN, HOLD_OTHER, NR_HOLDS };

enum irq_flag { IRQ_UNKNOWN, IRQ_ON, IRQ_OFF };

enum iret_place { IRET_ENTRY, IRET_NMI, IRET_ELSEWHERE };

#define FRAMES_MAX	256
#define LONGEST_MAX	16

/* Exception frames whose return does not simply turn interrupts on. */
struct frames {
	pthread_mutex_t lock;
	unsigned int nr;
	bool overflow;
	struct { uint64_t addr; enum irq_flag flag; } frame[FRAMES_MAX];
};

struct section {
	uint64_t length, opener, closer;	/* instructions; addresses */
	enum hold hold;
};

struct tracker {
	struct frames *frames;
	enum irq_flag flag;
	uint64_t start, opener;		/* of the open section; opener is 0 when it was not seen */
	unsigned int holds;		/* bit mask of enum hold */

	/* A close that has been decided, but may yet be taken back by the next instruction. */
	bool closing;
	uint64_t close_at, closer;
	enum { CLOSE_STI, CLOSE_IRET, CLOSE_NMI } close_by;

	bool want_frame, want_iret;	/* the address is in the next store, or load */
	unsigned int frame_above;	/* how far the frame is above that store */
	unsigned int frame_gap;		/* a second place that the entry moves the frame to */
	enum irq_flag frame_flag;
	uint64_t iret_index, iret_pc;

	bool to_user;			/* which of its two ways out the entry text takes */
	unsigned int nmi_depth;
	enum irq_flag nmi_flag;
	bool nmi_to_user;

	uint64_t popf, impossible, cut_max;
	struct hist all, hold[NR_HOLDS];
	struct section longest[LONGEST_MAX];	/* longest first */
};

/**
 * frames_init() - make a set of frames empty
 * @frames: the set; may be in use already, by nobody else at the moment
 */
void frames_init(struct frames *frames);

/**
 * tracker_begin() - start to follow a virtual CPU
 * @t: all that it held is forgotten
 * @frames: shared by all virtual CPUs of the machine
 * @flag: IRQ_ON where that is certain, else IRQ_UNKNOWN
 */
void tracker_begin(struct tracker *t, struct frames *frames, enum irq_flag flag);

/**
 * tracker_end() - stop to follow it
 * @t: the tracker; its histograms are complete now
 * @index: time of the end. A section that is still open is kept as cut_max, not counted.
 */
void tracker_end(struct tracker *t, uint64_t index);

/*
 * Events. @index is the instruction's, @pc its address. Of one virtual CPU they come in order; the
 * caller serializes them.
 */

/** tracker_cli() - `cli` in the kernel */
void tracker_cli(struct tracker *t, uint64_t index, uint64_t pc);

/** tracker_sti() - `sti` in the kernel */
void tracker_sti(struct tracker *t, uint64_t index, uint64_t pc);

/** tracker_popf() - `popf` in the kernel: counted as a thing that cannot be followed */
void tracker_popf(struct tracker *t, uint64_t index);

/** tracker_irq() - first instruction of an interrupt's entry */
void tracker_irq(struct tracker *t, uint64_t index, uint64_t pc);

/** tracker_syscall() - first instruction of the syscall entry */
void tracker_syscall(struct tracker *t, uint64_t index, uint64_t pc);

/**
 * tracker_exception() - first instruction of an exception's entry
 * @t: tracker
 * @index: time
 * @pc: address
 * @above: distance in bytes from the first store that the entry makes up to the saved rip
 * @gap: the entry may move the frame down by that many bytes; 0: it does not
 */
void tracker_exception(struct tracker *t, uint64_t index, uint64_t pc, unsigned int above,
		       unsigned int gap);

/** tracker_nmi() - first instruction of the NMI entry */
void tracker_nmi(struct tracker *t, uint64_t index, uint64_t pc);

/** tracker_nmi_repeat() - the instruction at repeat_nmi, reached in whatever way */
void tracker_nmi_repeat(struct tracker *t, uint64_t index);

/** tracker_exit_path() - the entry text takes its way out to user space, or to the kernel */
void tracker_exit_path(struct tracker *t, bool to_user);

/** tracker_iret() - any `iretq`; for IRET_ENTRY to the kernel, tracker_load() must follow */
void tracker_iret(struct tracker *t, uint64_t index, uint64_t pc, enum iret_place place);

/** tracker_sysret() - `sysretq` */
void tracker_sysret(struct tracker *t, uint64_t index, uint64_t pc);

/** tracker_store() - a store by the entry text, to @addr */
void tracker_store(struct tracker *t, uint64_t addr);

/** tracker_load() - a load by the entry text, from @addr */
void tracker_load(struct tracker *t, uint64_t addr);

/** tracker_hold() - one of the functions that name what runs */
void tracker_hold(struct tracker *t, uint64_t index, enum hold hold);

#endif
