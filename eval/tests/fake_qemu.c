// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stands in for QEMU in tests of the harness. It reads the same command line, writes the same
 * files, and ends as the environment variable FAKE_QEMU says: ok, panic, oops, warn, hang, chatter,
 * crash, refuse, garbage, noend, slow, known, ask.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *console, *records, *meters;
static const char *append = "", *how = "ok";

static FILE *open_out(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f) {
		perror(path);
		exit(1);
	}
	setvbuf(f, NULL, _IOLBF, 0);
	return f;
}

static void read_args(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++) {
		if (!strcmp(argv[i], "-serial") && !console)
			console = open_out(argv[i + 1] + strlen("file:"));
		else if (!strcmp(argv[i], "-serial"))
			records = open_out(argv[i + 1] + strlen("file:"));
		else if (!strcmp(argv[i], "-plugin"))
			meters = open_out(strstr(argv[i + 1], "out=") + 4);
		else if (!strcmp(argv[i], "-append"))
			append = argv[i + 1];
	}
}

/* Ask the host for something, and demand that its next command is @command. */
static void ask(const char *what, const char *command)
{
	char line[512];

	if (what)
		fprintf(records, "{\"type\":\"ask\",\"index\":0,\"do\":\"%s\"}\n", what);
	alarm(20);
	if (!fgets(line, sizeof(line), stdin) || !strstr(line, command)) {
		fprintf(stderr, "qemu: no %s came\n", command);
		exit(1);
	}
	alarm(0);
	puts("{\"return\": {}}");
}

static void workload(int index, const char *arg)
{
	int len = strcspn(arg, ":");
	const char *status = "\"ok\"";

	if (!strcmp(how, "known") && index == 1)
		status = "\"known\",\"reason\":\"the design does not promise it\"";
	fprintf(records,
		"{\"type\":\"result\",\"index\":%d,\"workload\":\"%.*s\",\"status\":%s,\"ops\":100,\"ns\":1000,"
		"\"regions\":[%d],\"metrics\":{}}\n",
		index, len, arg, status, index);
	if (meters)
		fprintf(meters,
			"{\"type\":\"region\",\"region\":%d,\"vcpus\":[{\"vcpu\":0,\"insns\":69700,\"rep_iters\":0,"
			"\"locked\":200,\"xchg128\":0,\"cli\":0,\"sti\":0,\"popf\":0,\"stores\":900,\"loads\":900,"
			"\"irqoff\":{\"all\":{\"n\":1,\"sum\":10,\"max\":10,\"hist\":[[10,10,1]]}}}]}\n",
			index);
}

static void trouble(void)
{
	if (!strcmp(how, "panic"))
		fputs("[    1.000000] Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000009\n",
		      console);
	else if (!strcmp(how, "oops"))
		fputs("[    1.000000] BUG: unable to handle page fault for address: ffffc90000000000\n",
		      console);
	else if (!strcmp(how, "warn"))
		fputs("[    1.000000] WARNING: CPU: 0 PID: 1 at mm/page_alloc.c:1 x+0x0/0x0\n",
		      console);
	else if (!strcmp(how, "ask")) {
		ask(NULL, "qmp_capabilities");
		ask("plug", "\"device_add\"");
		fputs("{\"type\":\"progress\",\"index\":0,\"text\":\"half of it\"}\n", records);
		ask("unplug", "\"device_del\"");
	} else if (!strcmp(how, "garbage"))
		fputs("{\"type\":\"result\", oh no\n", records);
	if (!strcmp(how, "oops") || !strcmp(how, "hang"))
		pause();
	while (!strcmp(how, "chatter")) {
		fputs("still here\n", console);
		usleep(50000);
	}
	if (!strcmp(how, "panic"))
		exit(0);
	if (!strcmp(how, "crash"))
		raise(SIGSEGV);
	if (!strcmp(how, "slow"))
		usleep(300000);
}

int main(int argc, char **argv)
{
	char *save = NULL, *copy;
	int index = 0;

	if (argc > 1 && !strcmp(argv[1], "--version")) {
		printf("QEMU emulator version %s (none)\n",
		       getenv("FAKE_VERSION") ? getenv("FAKE_VERSION") : "7.2.0");
		return 0;
	}
	how = getenv("FAKE_QEMU") ? getenv("FAKE_QEMU") : "ok";
	if (!strcmp(how, "refuse")) {
		fprintf(stderr, "qemu: invalid accelerator kvm\n");
		return 1;
	}
	read_args(argc, argv);
	fputs("booting\n", console);
	fputs("{\"type\":\"start\",\"kernel\":\"fake\",\"zones\":[],\"vm\":{}}\n", records);
	copy = strdup(strstr(append, "-- ") + 3);
	strtok_r(copy, " ", &save);
	for (char *w = strtok_r(NULL, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		workload(index++, w);
		if (index == 1)
			trouble();
	}
	free(copy);
	if (strcmp(how, "noend"))
		fputs("{\"type\":\"end\"}\n", records);
	if (meters)
		fprintf(meters, "{\"type\":\"end\",\"regions\":%d,\"warnings\":[]}\n", index);
	return 0;
}
