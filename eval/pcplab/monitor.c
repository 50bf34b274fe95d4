// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of the record port that are for the host, at once: {"type":"ask","do":"plug"} and
 * {"type":"progress","text":…}. What QEMU answers goes to the file "monitor" in the boot's folder;
 * whether a module came or went is for the guest to see.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "monitor.h"

/* Longer lines than this are no requests. */
#define LINE_MAX_BYTES 65536

static const struct {
	const char *ask, *command;
} asks[] = {
	{ "plug", "{\"execute\":\"device_add\",\"arguments\":{\"driver\":\"pc-dimm\",\"id\":\"dimm0\",\"memdev\":\"module0\"}}\n" },
	{ "unplug", "{\"execute\":\"device_del\",\"arguments\":{\"id\":\"dimm0\"}}\n" },
};

/* QEMU may be gone, and that must not end us; and it may be slow, and that must not stop us. */
static void command(const struct monitor *m, const char *text)
{
	if (m->fd >= 0 && send(m->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EPIPE)
		pl_error("cannot write to QEMU's control port: %s", strerror(errno));
}

bool monitor_open(struct monitor *m, const json_t *plan)
{
	int fds[2];

	*m = (struct monitor){ .fd = -1, .qemu = -1, .line = g_string_new(NULL) };
	if (!j_int(plan, "dimm_mb"))
		return true;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) {
		pl_error("cannot make a control port for QEMU: %s", strerror(errno));
		return false;
	}
	m->fd = fds[0];
	m->qemu = fds[1];
	command(m, "{\"execute\":\"qmp_capabilities\"}\n");
	return true;
}

void monitor_started(struct monitor *m)
{
	if (m->qemu >= 0)
		close(m->qemu);
	m->qemu = -1;
}

static bool take_line(struct monitor *m, const char *line)
{
	json_t *o = strstr(line, "\"ask\"") || strstr(line, "\"progress\"") ? json_loads(line, 0, NULL) : NULL;
	bool told = !strcmp(j_str(o, "type"), "progress");

	if (told) {
		g_free(m->progress);
		m->progress = g_strdup(j_str(o, "text"));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(asks); i++)
		if (!strcmp(j_str(o, "type"), "ask") && !strcmp(j_str(o, "do"), asks[i].ask))
			command(m, asks[i].command);
	json_decref(o);
	return told;
}

bool monitor_feed(struct monitor *m, const char *text, size_t len)
{
	bool told = false;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n') {
			told |= take_line(m, m->line->str);
			g_string_truncate(m->line, 0);
		} else if (text[i] && m->line->len < LINE_MAX_BYTES) {
			g_string_append_c(m->line, text[i]);
		}
	}
	return told;
}

void monitor_close(struct monitor *m)
{
	monitor_started(m);
	if (m->fd >= 0)
		close(m->fd);
	g_string_free(m->line, TRUE);
	g_free(m->progress);
}
