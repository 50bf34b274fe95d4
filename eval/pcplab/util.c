// SPDX-License-Identifier: GPL-2.0-or-later
/* Small helpers that every stage uses. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "util.h"

struct options opts;

void pl_error(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("pcplab: error: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void pl_note(const char *fmt, ...)
{
	va_list ap;

	if (opts.quiet)
		return;
	va_start(ap, fmt);
	vfprintf(stdout, fmt, ap);
	va_end(ap);
	fputc('\n', stdout);
	fflush(stdout);
}

static char *path_below(const char *dir, const char *fmt, va_list ap)
{
	g_autofree char *tail = g_strdup_vprintf(fmt, ap);

	return g_build_filename(dir, tail, NULL);
}

char *root_path(const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_below(opts.root ? opts.root : ".", fmt, ap);
	va_end(ap);
	return path;
}

char *build_path(const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_below(opts.build ? opts.build : "build", fmt, ap);
	va_end(ap);
	return path;
}

char *run_dir_find(const char *name)
{
	const char *results = opts.results ? opts.results : "results";
	g_autofree char *path = NULL;
	char *real, *copy;

	if (name && (strchr(name, '/') || !strcmp(name, ".")))
		path = g_strdup(name);
	else
		path = g_build_filename(results, name ? name : "latest", NULL);
	real = realpath(path, NULL);
	if (!real || !g_file_test(real, G_FILE_TEST_IS_DIR)) {
		free(real);
		if (name)
			pl_error("no run %s in %s; the runs there are its folders", name, results);
		else
			pl_error("no run in %s yet; start one with: pcplab eval", results);
		return NULL;
	}
	copy = g_strdup(real);
	free(real);
	return copy;
}

char *file_read(const char *path, size_t *len)
{
	g_autoptr(GError) e = NULL;
	char *data;
	gsize n;

	if (!g_file_get_contents(path, &data, &n, &e)) {
		pl_error("cannot read %s: %s", path, e->message);
		return NULL;
	}
	if (len)
		*len = n;
	return data;
}

bool file_write(const char *path, const char *data, ssize_t len)
{
	g_autoptr(GError) e = NULL;
	GFileSetContentsFlags how = G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE;

	if (g_file_set_contents_full(path, data, len, how, 0666, &e))
		return true;
	pl_error("cannot write %s: %s; the old content, if any, is intact", path, e->message);
	return false;
}

bool file_newer(const char *a, const char *b)
{
	struct stat sa, sb;

	if (stat(a, &sa) || stat(b, &sb))
		return false;
	return sa.st_mtim.tv_sec > sb.st_mtim.tv_sec ||
	       (sa.st_mtim.tv_sec == sb.st_mtim.tv_sec && sa.st_mtim.tv_nsec >= sb.st_mtim.tv_nsec);
}

bool dir_make(const char *path)
{
	if (!g_mkdir_with_parents(path, 0777))
		return true;
	pl_error("cannot make the folder %s: %s", path, strerror(errno));
	return false;
}

char *file_sha256(const char *path)
{
	g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);

	if (!map)
		return NULL;
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256,
					   (const guchar *)g_mapped_file_get_contents(map),
					   g_mapped_file_get_length(map));
}

char *first_line(const char *path)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return g_strdup("");
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++) {
		char *s = g_strstrip(*l);

		while (*s == '#')
			s++;
		s = g_strchug(s);
		if (*s)
			return g_strdup(s);
	}
	return g_strdup("");
}

json_t *json_read(const char *path)
{
	g_autofree char *text = NULL;
	json_error_t e;
	json_t *value;
	size_t len;

	text = file_read(path, &len);
	if (!text)
		return NULL;
	value = json_loadb(text, len, JSON_DECODE_ANY, &e);
	if (!value)
		pl_error("%s:%d:%d: not JSON: %s", path, e.line, e.column, e.text);
	return value;
}

bool json_write(const char *path, const json_t *value)
{
	char *text = json_dumps(value, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENCODE_ANY);
	g_autofree char *whole = g_strconcat(text ? text : "null", "\n", NULL);

	free(text);
	return file_write(path, whole, -1);
}

json_t *jsonl_read(const char *path, bool *torn)
{
	g_autofree char *text = NULL;
	json_t *all;
	size_t len;
	int nr = 1;

	if (torn)
		*torn = false;
	text = file_read(path, &len);
	if (!text)
		return NULL;
	all = json_array();
	for (char *p = text, *end = text + len; p < end; nr++) {
		char *nl = memchr(p, '\n', end - p);
		size_t n = nl ? (size_t)(nl - p) : (size_t)(end - p);
		json_error_t e;
		json_t *o = json_loadb(p, n, 0, &e);
		bool last = !nl || nl + 1 == end;

		if (!o || !nl) {
			json_decref(o);
			if (last && torn) {
				*torn = true;
				break;
			}
			pl_error("%s:%d: not a whole JSON object: %s", path, nr,
				 o ? "no newline at its end" : e.text);
			json_decref(all);
			return NULL;
		}
		json_array_append_new(all, o);
		p = nl + 1;
	}
	return all;
}

const char *j_str(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

long long j_int(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

double j_num(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

void names_add(json_t *names, const char *name)
{
	const json_t *seen;
	size_t i;

	json_array_foreach(names, i, seen)
		if (!strcmp(json_string_value(seen), name))
			return;
	json_array_append_new(names, json_string(name));
}

char *command_output(const char *const argv[])
{
	char *out = NULL;
	int status;

	if (!g_spawn_sync(NULL, (char **)argv, NULL,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL,
			  &status, NULL))
		return NULL;
	if (!g_spawn_check_wait_status(status, NULL)) {
		g_free(out);
		return NULL;
	}
	return g_strchomp(out);
}
