/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small helpers that every stage uses: messages, paths, files, JSON. GLib and jansson do the work.
 */
#ifndef PCPLAB_UTIL_H
#define PCPLAB_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <glib.h>
#include <jansson.h>

/* Exit codes of every subcommand. */
enum { RC_OK = 0, RC_FAILED = 1, RC_USAGE = 2 };

/* Set once by main() from the command line; every stage reads them. */
struct options {
	char *root;		/* the source tree: has eval/ and variants/ */
	char *build;		/* build folder, default ROOT/build */
	char *results;		/* folder of new runs: the last one given, default ROOT/results */
	GPtrArray *folders;	/* all folders given; NULL: none, then results and BUILD/test are read */
	bool quiet;		/* no notes, errors only */
};

extern struct options opts;

/**
 * pl_error() - print one error to stderr, as "pcplab: error: …"
 * @fmt: printf format, without a newline; says what is wrong and what to do
 */
void pl_error(const char *fmt, ...) G_GNUC_PRINTF(1, 2);

/**
 * pl_note() - print one line of news to stdout, unless --quiet was given
 * @fmt: printf format, without a newline
 */
void pl_note(const char *fmt, ...) G_GNUC_PRINTF(1, 2);

/**
 * root_path() - a path in the source tree
 * @fmt: printf format of the path relative to the tree's root
 *
 * Return: a new string, freed by the caller with g_free().
 */
char *root_path(const char *fmt, ...) G_GNUC_PRINTF(1, 2);

/**
 * build_path() - a path in the build folder
 * @fmt: printf format of the path relative to the build folder
 *
 * Return: a new string, freed by the caller with g_free().
 */
char *build_path(const char *fmt, ...) G_GNUC_PRINTF(1, 2);

/**
 * run_dir_find() - find the folder of a run
 * @name: a run's id under the results folder, a path of a folder, or NULL for the newest run
 *
 * Return: a new string with the folder's path, with "latest" resolved to the run it points to, or
 * NULL (error printed) when there is no such run.
 */
char *run_dir_find(const char *name);

/**
 * file_read() - read a whole file
 * @path: the file
 * @len: where its length in bytes is put, may be NULL
 *
 * Return: its content with a NUL after it, freed with g_free(), or NULL (error printed).
 */
char *file_read(const char *path, size_t *len);

/**
 * file_write() - replace a file at once
 * @path: the file
 * @data: the new content
 * @len: its length in bytes, or -1 for a NUL-terminated string
 *
 * A reader, or a crash, sees the old content or the new, never a part.
 *
 * Return: true, or false (error printed) with the old content intact.
 */
bool file_write(const char *path, const char *data, ssize_t len);

/**
 * file_newer() - was a file written after another one, or at the same time?
 * @a: the file
 * @b: the other
 *
 * Return: false also when one of them is missing.
 */
bool file_newer(const char *a, const char *b);

/**
 * dir_make() - make a folder and its parents; one that exists is fine
 * @path: the folder
 *
 * Return: true, or false (error printed).
 */
bool dir_make(const char *path);

/**
 * file_sha256() - checksum of a file
 * @path: the file
 *
 * Return: 64 hexadecimal digits, freed with g_free(), or NULL when it cannot be read (nothing
 * printed).
 */
char *file_sha256(const char *path);

/**
 * first_line() - the first line of a text file that has letters, without markdown's leading '#'
 * signs
 * @path: the file
 *
 * Return: a new string; empty when the file cannot be read.
 */
char *first_line(const char *path);

/**
 * json_read() - read a file that holds one JSON value
 * @path: the file
 *
 * Return: a new reference, or NULL (error printed with line and column).
 */
json_t *json_read(const char *path);

/**
 * json_write() - replace a file by one JSON value, indented, keys sorted
 * @path: the file
 * @value: the value; the reference is not taken
 *
 * Return: true, or false (error printed).
 */
bool json_write(const char *path, const json_t *value);

/**
 * jsonl_read() - read a file of one JSON object a line
 * @path: the file
 * @torn: set when the last line has no newline or does not parse (it is left out); NULL makes that
 * an error
 *
 * Return: a new array with the objects, or NULL (error printed with the line's number) when the
 * file cannot be read or a line before the last does not parse.
 */
json_t *jsonl_read(const char *path, bool *torn);

/**
 * j_str() - a string member of an object
 * @o: object, may be NULL
 * @key: member's name
 *
 * Return: the string, owned by @o, or "" when there is none.
 */
const char *j_str(const json_t *o, const char *key);

/**
 * j_int() - an integer member of an object
 * @o: object, may be NULL
 * @key: member's name
 *
 * Return: the number, or 0 when there is none.
 */
long long j_int(const json_t *o, const char *key);

/**
 * j_num() - a number member of an object, integer or real
 * @o: object, may be NULL
 * @key: member's name
 *
 * Return: the number, or 0 when there is none.
 */
double j_num(const json_t *o, const char *key);

/**
 * names_add() - add a name to a list that has each name once
 * @names: array of strings
 * @name: NUL-terminated name; copied
 */
void names_add(json_t *names, const char *name);

/**
 * command_output() - run a program and take its standard output
 * @argv: NULL-terminated arguments, looked up in PATH
 *
 * Return: the output without trailing white space, freed with g_free(); NULL when the program is
 * missing or fails (nothing printed).
 */
char *command_output(const char *const argv[]);

#endif
