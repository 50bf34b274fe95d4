// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes records to the second serial port, whole lines only. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "guest.h"

static int port = STDOUT_FILENO;

/**
 * emit_open() - open the port and switch off everything that a terminal does to text
 *
 * Without the port, records go to standard output, which helps when trying things by hand.
 *
 * Return: 0, or -1 when there is no such port.
 */
int emit_open(void)
{
	struct termios tio;
	int fd = open("/dev/ttyS1", O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (!tcgetattr(fd, &tio)) {
		cfmakeraw(&tio);
		/* Nobody listens for carrier on a port that ends in a file. */
		tio.c_cflag |= CLOCAL;
		cfsetspeed(&tio, B115200);
		tcsetattr(fd, TCSANOW, &tio);
	}
	port = fd;
	return 0;
}

static void write_all(const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(port, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		data += n;
		len -= n;
	}
}

/**
 * emit_line() - write one record, and wait until it has left the guest
 * @object: the record; the reference is taken over
 */
void emit_line(json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);
	size_t len;

	json_decref(object);
	if (!text)
		return;
	len = strlen(text);
	text[len] = '\n';	/* takes the place of the NUL */
	write_all(text, len + 1);
	tcdrain(port);
	free(text);
}

/**
 * emit_text() - write a foreign tool's output as a record of its own
 * @job: the workload that ran the tool
 * @name: which of the tool's outputs this is
 * @data: the text, any bytes
 * @len: bytes at @data
 */
void emit_text(const struct job *job, const char *name, const char *data, size_t len)
{
	emit_line(text_json(job, name, data, len));
}
