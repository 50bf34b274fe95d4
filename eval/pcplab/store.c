// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of a run: appended boot by boot, never rewritten. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "store.h"

/* Collects the finished boots. Returns the length of what belongs to them. */
static size_t scan(struct store *s, const char *text, size_t len)
{
	const char *p = text, *nl;
	size_t good = 0;

	for (; (nl = memchr(p, '\n', text + len - p)); p = nl + 1) {
		json_t *o = json_loadb(p, nl - p, 0, NULL);

		if (!o)
			break;
		if (!strcmp(j_str(o, "type"), "done")) {
			g_hash_table_add(s->done, g_strdup(j_str(o, "boot")));
			good = nl + 1 - text;
		}
		json_decref(o);
	}
	return good;
}

bool store_open(struct store *s, const char *dir)
{
	g_autofree char *text = NULL;
	size_t len, good;

	*s = (struct store) { .path = g_build_filename(dir, "records.jsonl", NULL), .fd = -1 };
	s->done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->fd = open(s->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (s->fd < 0) {
		pl_error("cannot write %s: %s", s->path, strerror(errno));
		store_close(s);
		return false;
	}
	text = file_read(s->path, &len);
	good = text ? scan(s, text, len) : 0;
	if (!text || (good < len && ftruncate(s->fd, good))) {
		if (text)
			pl_error("cannot cut the unfinished end off %s: %s", s->path,
				 strerror(errno));
		store_close(s);
		return false;
	}
	if (good < len)
		pl_note("%s: cut off %zu bytes of a boot that was not finished", s->path,
			len - good);
	return true;
}

bool store_append(struct store *s, const char *boot, const json_t *records)
{
	g_autoptr(GString) text = g_string_new(NULL);
	off_t before = lseek(s->fd, 0, SEEK_END);
	const json_t *r;
	ssize_t n;
	size_t i;

	json_array_foreach(records, i, r) {
		char *line = json_dumps(r, JSON_COMPACT | JSON_SORT_KEYS);

		g_string_append_printf(text, "%s\n", line);
		free(line);
	}
	g_string_append_printf(text, "{\"boot\":\"%s\",\"type\":\"done\"}\n", boot);
	n = write(s->fd, text->str, text->len);
	if (n == (ssize_t)text->len && !fsync(s->fd)) {
		g_hash_table_add(s->done, g_strdup(boot));
		return true;
	}
	pl_error(
		"cannot write %s: %s; boot %s will be made again, finished ones are safe: make room and run again",
		s->path, n < 0 ? strerror(errno) : "the disk is full", boot);
	if (ftruncate(s->fd, before))
		pl_error("cannot cut %s back either: %s; the next start will", s->path,
			 strerror(errno));
	return false;
}

void store_close(struct store *s)
{
	if (s->fd >= 0)
		close(s->fd);
	g_clear_pointer(&s->done, g_hash_table_destroy);
	g_clear_pointer(&s->path, g_free);
	s->fd = -1;
}

static void refuse(int fd, const char *dir)
{
	char pid[32] = "";
	ssize_t n = pread(fd, pid, sizeof(pid) - 1, 0);

	pid[n > 0 ? strcspn(pid, "\n") : 0] = '\0';
	pl_error(
		"process %s is running boots in %s; wait for it, end it, or give another folder with --results",
		*pid ? pid : "(unknown)", dir);
}

int results_lock(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, ".lock", NULL);
	int fd;

	if (!dir_make(dir))
		return -1;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0) {
		pl_error("cannot write %s: %s", path, strerror(errno));
		return -1;
	}
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		refuse(fd, dir);
		close(fd);
		return -1;
	}
	if (ftruncate(fd, 0) || dprintf(fd, "%d\n", getpid()) < 0) {
		pl_error("cannot write %s: %s", path, strerror(errno));
		close(fd);
		return -1;
	}
	return fd;
}
