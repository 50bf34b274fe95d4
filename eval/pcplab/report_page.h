/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pieces that both reports are put together from: elements of a page, and lines of a mail. */
#ifndef PCPLAB_REPORT_PAGE_H
#define PCPLAB_REPORT_PAGE_H

#include <glib.h>
#include <jansson.h>

#define TXT_WIDTH	80

/**
 * html_esc() - append text to a page
 * @s: the page
 * @text: any bytes
 */
void html_esc(GString *s, const char *text);

/**
 * html_element() - append an element that holds text only
 * @s: the page
 * @tag: its name
 * @attributes: its attributes, verbatim
 * @text: any bytes
 */
void html_element(GString *s, const char *tag, const char *attributes, const char *text);

/**
 * html_name() - append an element with a variant's name, which may break behind each '+'
 * @s: the page
 * @tag: its name
 * @attributes: its attributes, verbatim
 * @name: the variant
 */
void html_name(GString *s, const char *tag, const char *attributes, const char *name);

/**
 * html_ids() - append a title attribute that names records
 * @s: the page, within a tag
 * @ids: array of strings, may be NULL
 */
void html_ids(GString *s, const json_t *ids);

/**
 * txt_wrap() - append wrapped text to a mail
 * @s: the mail
 * @lead: what the first line begins with; the others are indented as far
 * @text: any bytes; a word wider than the page is cut into pieces
 */
void txt_wrap(GString *s, const char *lead, const char *text);

/**
 * txt_heading() - append an empty line and an underlined heading
 * @s: the mail
 * @title: its text
 */
void txt_heading(GString *s, const char *title);

/**
 * txt_name() - append a variant's name as the head of a row
 * @s: the mail
 * @indent: blanks before it
 * @width: columns it has; a longer name gets a line of its own
 * @name: the variant
 */
void txt_name(GString *s, int indent, int width, const char *name);

/**
 * txt_trim_line() - take blanks from the end, and end the line
 * @s: the mail
 */
void txt_trim_line(GString *s);

#endif
