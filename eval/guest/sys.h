/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Switches and figures of the running kernel, for the suites that stress it. */
#ifndef PCPLAB_SYS_H
#define PCPLAB_SYS_H

#include <stdbool.h>
#include <time.h>

#include "guest.h"

/**
 * sys_write() - write a text to one of the kernel's files
 * @path: the file
 * @text: the text
 *
 * Return: 0, or a negative errno.
 */
int sys_write(const char *path, const char *text);

/**
 * sys_write_long() - write a number to one of the kernel's files
 * @path: the file
 * @value: the number
 *
 * Return: As sys_write().
 */
int sys_write_long(const char *path, long value);

/**
 * sys_read_field() - read a number that stands behind a key at the beginning of a line
 * @path: the file
 * @key: the key, followed in the file by blanks or a colon
 *
 * Return: the number, -1 when there is no such line.
 */
long sys_read_field(const char *path, const char *key);

/**
 * sys_find() - find the entry of a folder with the lowest number behind a prefix
 * @dir: the folder
 * @prefix: what its name begins with
 * @from: the number is at least so high
 * @number: receives the number, -1 when there is none
 *
 * Return: 0, or -1 when there is none.
 */
int sys_find(const char *dir, const char *prefix, long from, long *number);

/**
 * sys_listed() - pages on a CPU's lists in all zones
 * @cpu: its number
 *
 * Return: their number, -1 when /proc/zoneinfo does not tell.
 */
long sys_listed(unsigned int cpu);

/**
 * sys_batch() - the largest batch of all lists
 *
 * Return: pages, -1 when the kernel does not tell.
 */
long sys_batch(void);

/**
 * sys_move() - let a process run on one CPU only, from now on
 * @pid: the process, 0 for the caller
 * @cpu: the CPU
 *
 * Return: 0, or -1 with errno set: the CPU may be offline, the process may be gone.
 */
int sys_move(pid_t pid, unsigned int cpu);

/**
 * sys_set_free() - let a process run anywhere
 * @pid: the process, 0 for the caller
 *
 * Return: 0, or -1 with errno set.
 */
int sys_set_free(pid_t pid);

/**
 * sys_be_fifo() - make the caller a real-time task that yields to none below it
 * @priority: 1 to 99
 *
 * Return: 0, or -1 with errno set.
 */
int sys_be_fifo(int priority);

/**
 * sys_random() - the next random number
 * @state: any number at first
 *
 * Return: 64 well-mixed bits.
 */
uint64_t sys_random(uint64_t *state);

/**
 * sys_now() - the guest's monotonic clock
 *
 * Return: seconds.
 */
double sys_now(void);

/**
 * sys_sleep_ms() - sleep, or less when a signal comes
 * @ms: milliseconds
 */
void sys_sleep_ms(long ms);

/* zram.c */

/**
 * zram_swap_on() - swap to compressed memory
 * @mb: size of the swap space in megabytes
 * @res: receives the reason of a failure
 *
 * Return: 0 or -1.
 */
int zram_swap_on(unsigned int mb, struct result *res);

/**
 * zram_swap_off() - undo zram_swap_on(), once nothing that is needed is swapped out
 * @res: receives the reason of a failure
 *
 * Return: 0 or -1.
 */
int zram_swap_off(struct result *res);

#endif
