// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include "tracker.h"

void frames_init(struct frames *frames)
{
	memset(frames, 0, sizeof(*frames));
	pthread_mutex_init(&frames->lock, NULL);
}

static unsigned int frame_find(struct frames *frames, uint64_t addr)
{
	unsigned int i;

	for (i = 0; i < frames->nr; i++)
		if (frames->frame[i].addr == addr)
			break;
	return i;
}

/* A frame that would only turn interrupts on is not kept: that is what no frame means. */
static void frame_put(struct frames *frames, uint64_t addr, enum irq_flag flag)
{
	unsigned int i;

	pthread_mutex_lock(&frames->lock);
	i = frame_find(frames, addr);
	if (flag == IRQ_ON) {
		if (i < frames->nr)
			frames->frame[i] = frames->frame[--frames->nr];
	} else if (i < FRAMES_MAX) {
		frames->frame[i].addr = addr;
		frames->frame[i].flag = flag;
		if (i == frames->nr)
			frames->nr++;
	} else {
		frames->overflow = true;
	}
	pthread_mutex_unlock(&frames->lock);
}

static enum irq_flag frame_take(struct frames *frames, uint64_t addr)
{
	enum irq_flag flag = IRQ_ON;
	unsigned int i;

	pthread_mutex_lock(&frames->lock);
	i = frame_find(frames, addr);
	if (i < frames->nr) {
		flag = frames->frame[i].flag;
		frames->frame[i] = frames->frame[--frames->nr];
	}
	pthread_mutex_unlock(&frames->lock);
	return flag;
}

static enum hold hold_of(unsigned int holds)
{
	return holds ? (enum hold)__builtin_ctz(holds) : HOLD_OTHER;
}

static void longest_add(struct tracker *t, const struct section *s)
{
	unsigned int i = LONGEST_MAX;

	while (i && t->longest[i - 1].length < s->length)
		i--;
	if (i == LONGEST_MAX)
		return;
	memmove(&t->longest[i + 1], &t->longest[i],
		(LONGEST_MAX - 1 - i) * sizeof(t->longest[0]));
	t->longest[i] = *s;
}

static void open_section(struct tracker *t, uint64_t start, uint64_t opener)
{
	t->flag = IRQ_OFF;
	t->start = start;
	t->opener = opener;
	t->holds = 0;
}

static void close_section(struct tracker *t, uint64_t end, uint64_t closer)
{
	struct section s = { end - t->start, t->opener, closer, hold_of(t->holds) };

	if (t->flag == IRQ_OFF && t->opener) {
		hist_add(&t->all, s.length);
		hist_add(&t->hold[s.hold], s.length);
		longest_add(t, &s);
	}
	t->flag = IRQ_ON;
}

static void close_later(struct tracker *t, uint64_t at, uint64_t pc, int by)
{
	t->closing = true;
	t->close_at = at;
	t->closer = pc;
	t->close_by = by;
}

/* Carries out a close that was decided earlier, unless its time has not come. */
static void settle(struct tracker *t, uint64_t index)
{
	if (!t->closing || index < t->close_at)
		return;
	t->closing = false;
	close_section(t, t->close_at, t->closer);
}

void tracker_begin(struct tracker *t, struct frames *frames, enum irq_flag flag)
{
	memset(t, 0, sizeof(*t));
	t->frames = frames;
	t->flag = flag;
}

void tracker_end(struct tracker *t, uint64_t index)
{
	settle(t, index);
	if (t->flag == IRQ_OFF && t->opener)
		t->cut_max = index - t->start;
}

void tracker_cli(struct tracker *t, uint64_t index, uint64_t pc)
{
	settle(t, index);
	if (t->closing) {
		t->closing = false;	/* in the shadow of sti: nothing could get in between */
		return;
	}
	if (t->flag == IRQ_ON)
		open_section(t, index + 1, pc);
	else if (t->flag == IRQ_UNKNOWN)
		open_section(t, index + 1, 0);
}

void tracker_sti(struct tracker *t, uint64_t index, uint64_t pc)
{
	settle(t, index);
	if (t->flag != IRQ_ON && !t->closing)
		close_later(t, index + 2, pc, CLOSE_STI);
}

void tracker_popf(struct tracker *t, uint64_t index)
{
	settle(t, index);
	t->popf++;
}

static void want_frame(struct tracker *t, enum irq_flag flag, unsigned int above, unsigned int gap)
{
	t->want_frame = true;
	t->want_iret = false;
	t->frame_flag = flag;
	t->frame_above = above;
	t->frame_gap = gap;
}

void tracker_irq(struct tracker *t, uint64_t index, uint64_t pc)
{
	settle(t, index);
	if (t->flag == IRQ_OFF)
		t->impossible++;
	t->closing = false;
	open_section(t, index, pc);
	/* Overwrites what an exception that never returned may have left at the same address. */
	want_frame(t, IRQ_ON, 8, 0);
}

void tracker_syscall(struct tracker *t, uint64_t index, uint64_t pc)
{
	settle(t, index);
	if (t->flag == IRQ_OFF)
		t->impossible++;
	t->closing = t->want_frame = t->want_iret = false;
	open_section(t, index, pc);
}

/* Keeps an open section open; with the flag on, opens one. Returns the flag that was found. */
static enum irq_flag enter_off(struct tracker *t, uint64_t index, uint64_t pc)
{
	enum irq_flag found;

	settle(t, index);
	found = t->closing ? IRQ_ON : t->flag;
	t->closing = false;
	if (found == IRQ_ON && t->flag == IRQ_ON)
		open_section(t, index, pc);
	else if (t->flag == IRQ_UNKNOWN)
		open_section(t, index, 0);
	return found;
}

void tracker_exception(struct tracker *t, uint64_t index, uint64_t pc, unsigned int above,
		       unsigned int gap)
{
	want_frame(t, enter_off(t, index, pc), above, gap);
}

void tracker_nmi(struct tracker *t, uint64_t index, uint64_t pc)
{
	enum irq_flag found = enter_off(t, index, pc);

	if (t->nmi_depth++)
		return;
	t->nmi_flag = found;
	t->nmi_to_user = t->to_user;
}

void tracker_nmi_repeat(struct tracker *t, uint64_t index)
{
	if (t->closing && t->close_by == CLOSE_NMI && t->close_at == index) {
		t->closing = false;
		t->nmi_depth = 1;
		return;
	}
	settle(t, index);
}

void tracker_exit_path(struct tracker *t, bool to_user)
{
	t->to_user = to_user;
}

/* An NMI that came on top of another one returns into it, with interrupts off. */
static void iret_from_nmi(struct tracker *t, uint64_t index, uint64_t pc)
{
	if (t->nmi_depth > 1) {
		t->nmi_depth--;
		return;
	}
	t->nmi_depth = 0;
	t->to_user = t->nmi_to_user;
	if (t->nmi_flag == IRQ_ON)
		close_later(t, index + 1, pc, CLOSE_NMI);
	else if (t->nmi_flag == IRQ_UNKNOWN)
		t->flag = IRQ_UNKNOWN;
}

void tracker_iret(struct tracker *t, uint64_t index, uint64_t pc, enum iret_place place)
{
	if (place == IRET_ELSEWHERE)
		return;
	settle(t, index);
	if (place == IRET_NMI) {
		iret_from_nmi(t, index, pc);
	} else if (t->to_user) {
		t->nmi_depth = 0;
		close_later(t, index + 1, pc, CLOSE_IRET);
	} else {
		t->want_iret = true;
		t->iret_index = index;
		t->iret_pc = pc;
	}
}

void tracker_sysret(struct tracker *t, uint64_t index, uint64_t pc)
{
	settle(t, index);
	close_later(t, index + 1, pc, CLOSE_IRET);
}

void tracker_store(struct tracker *t, uint64_t addr)
{
	if (!t->want_frame)
		return;
	t->want_frame = false;
	addr += t->frame_above;
	frame_put(t->frames, addr, t->frame_flag);
	if (t->frame_gap)
		frame_put(t->frames, addr - t->frame_gap, t->frame_flag);
}

void tracker_load(struct tracker *t, uint64_t addr)
{
	enum irq_flag flag;

	if (!t->want_iret)
		return;
	t->want_iret = false;
	flag = frame_take(t->frames, addr);
	if (flag == IRQ_ON)
		close_later(t, t->iret_index + 1, t->iret_pc, CLOSE_IRET);
	else if (flag == IRQ_UNKNOWN)
		t->flag = IRQ_UNKNOWN;
}

void tracker_hold(struct tracker *t, uint64_t index, enum hold hold)
{
	settle(t, index);
	if (t->flag == IRQ_OFF)
		t->holds |= 1u << hold;
}
