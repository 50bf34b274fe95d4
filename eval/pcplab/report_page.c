// SPDX-License-Identifier: GPL-2.0-or-later
/* The pieces that both reports are put together from: elements of a page, and lines of a mail. */
#include <string.h>
#include "report.h"
#include "report_page.h"

void html_esc(GString *s, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_autofree char *safe = g_markup_escape_text(valid, -1);

	g_string_append(s, safe);
}

void html_element(GString *s, const char *tag, const char *attributes, const char *text)
{
	g_string_append_printf(s, "<%s%s%s>", tag, *attributes ? " " : "", attributes);
	html_esc(s, text);
	g_string_append_printf(s, "</%s>\n", tag);
}

void html_name(GString *s, const char *tag, const char *attributes, const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "+", -1);

	g_string_append_printf(s, "<%s%s%s>", tag, *attributes ? " " : "", attributes);
	for (char **p = parts; *p; p++) {
		html_esc(s, *p);
		if (p[1])
			g_string_append(s, "+<wbr>");
	}
	g_string_append_printf(s, "</%s>\n", tag);
}

void html_ids(GString *s, const json_t *ids)
{
	g_autofree char *names = fmt_names(ids);

	g_string_append(s, " title=\"records: ");
	html_esc(s, *names ? names : "none");
	g_string_append_c(s, '"');
}

/* Columns, not bytes; what is above ASCII in foreign text counts one a character. */
static size_t columns(const char *s)
{
	return g_utf8_validate(s, -1, NULL) ? (size_t)g_utf8_strlen(s, -1) : strlen(s);
}

static void append_word(GString *s, const char *word, size_t *at, size_t indent)
{
	size_t n = columns(word);

	if (*at > indent && *at + 1 + n > TXT_WIDTH) {
		g_string_append_printf(s, "\n%*s", (int)indent, "");
		*at = indent;
	} else if (*at > indent) {
		g_string_append_c(s, ' ');
		++*at;
	}
	/* A word wider than the page is cut into pieces that fit. */
	while (n > TXT_WIDTH - indent) {
		const char *cut = g_utf8_offset_to_pointer(word, (glong)(TXT_WIDTH - *at));

		g_string_append_len(s, word, cut - word);
		g_string_append_printf(s, "\n%*s", (int)indent, "");
		*at = indent;
		word = cut;
		n = columns(word);
	}
	g_string_append(s, word);
	*at += n;
}

void txt_wrap(GString *s, const char *lead, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_auto(GStrv) words = g_strsplit_set(valid, " \n\t", -1);
	size_t indent = columns(lead), at = indent;

	g_string_append(s, lead);
	for (char **w = words; *w; w++)
		if (**w)
			append_word(s, *w, &at, indent);
	g_string_append_c(s, '\n');
}

void txt_heading(GString *s, const char *title)
{
	g_string_append_c(s, '\n');
	txt_wrap(s, "", title);
	for (size_t i = 0; i < MIN(columns(title), (size_t)TXT_WIDTH); i++)
		g_string_append_c(s, '-');
	g_string_append_c(s, '\n');
}

void txt_trim_line(GString *s)
{
	while (s->len && s->str[s->len - 1] == ' ')
		g_string_truncate(s, s->len - 1);
	g_string_append_c(s, '\n');
}

void txt_name(GString *s, int indent, int width, const char *name)
{
	g_string_append_printf(s, "%*s%-*s", indent, "", width, name);
	/* It is never cut: two compositions may differ at their end only. */
	if (columns(name) > (size_t)width)
		g_string_append_printf(s, "\n%*s", indent + width, "");
}
