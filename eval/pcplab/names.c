// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of names: what exists, and what a mistyped name probably meant. */
#include <string.h>
#include "spec.h"

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **names_in(const char *dir, const char *suffix)
{
	GPtrArray *names = g_ptr_array_new();
	GDir *d = g_dir_open(dir, 0, NULL);
	const char *n;

	while (d && (n = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, n, NULL);

		if (!suffix && g_file_test(path, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(names, g_strdup(n));
		else if (suffix && g_str_has_suffix(n, suffix))
			g_ptr_array_add(names, g_strndup(n, strlen(n) - strlen(suffix)));
	}
	if (d)
		g_dir_close(d);
	g_ptr_array_sort(names, by_name);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

char **flavor_names(void)
{
	g_autofree char *dir = root_path("eval/flavors");
	char **names = names_in(dir, ".config");
	char **to = names;

	for (char **from = names; *from; from++) {
		if (strcmp(*from, "base"))
			*to++ = *from;
		else
			g_free(*from);
	}
	*to = NULL;
	return names;
}

/* Levenshtein distance; names are short. */
static size_t distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b);
	g_autofree size_t *row = g_new(size_t, lb + 1);

	for (size_t j = 0; j <= lb; j++)
		row[j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			size_t up = row[j];
			size_t change = diagonal + (a[i - 1] != b[j - 1]);

			row[j] = MIN(change, MIN(up, row[j - 1]) + 1);
			diagonal = up;
		}
	}
	return row[lb];
}

const char *names_nearest(char **names, const char *wrong)
{
	size_t best = strlen(wrong) / 2 + 1;
	const char *near = NULL;

	for (; *names; names++) {
		size_t d = distance(*names, wrong);

		if (d < best) {
			best = d;
			near = *names;
		}
	}
	return near;
}
