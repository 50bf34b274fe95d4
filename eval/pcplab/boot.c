// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One boot: QEMU as a child, watched through the files that its serial ports write. Files, not
 * pipes or sockets, because what QEMU wrote before it died is then there, whoever dies first.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>
#include "boot.h"
#include "klog.h"
#include "monitor.h"

#define POLL_MS		100
#define GRACE_NS	1000000000ull	/* an oops' text has stopped when nothing came for so long */
#define TALK_NS		10000000000ull	/* and is cut off after so long */
#define TERM_NS		2000000000ull	/* from SIGTERM to SIGKILL */

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

void boot_catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
}

bool boot_stopped(void)
{
	return stop;
}

/* A file that grows. */
struct tail {
	char *path;
	int fd;
	size_t bytes;
};

struct watch {
	uv_loop_t loop;
	uv_process_t process;
	uv_timer_t timer;
	struct tail console, records;
	struct klog klog;
	struct monitor monitor;
	const struct boot_listener *listener;
	/* In ns of the host's monotonic clock, 0: not yet. */
	uint64_t started, last_growth, trouble, terminated;
	uint64_t deadline_ns, silence_ns;
	const char *cut;	/* why we ended it: "deadline", "silent", or NULL */
	int64_t code;
	int signal;
};

/* @take gets what is new. */
static bool tail_grown(struct tail *t, struct watch *w,
		       void (*take)(struct watch *w, const char *text, size_t len))
{
	char buf[16384];
	bool grown = false;
	ssize_t n;

	if (t->fd < 0)
		t->fd = open(t->path, O_RDONLY | O_CLOEXEC);
	while (t->fd >= 0 && (n = read(t->fd, buf, sizeof(buf))) > 0) {
		t->bytes += n;
		grown = true;
		take(w, buf, n);
	}
	return grown;
}

static void take_console(struct watch *w, const char *text, size_t len)
{
	klog_feed(&w->klog, text, len);
}

static void take_records(struct watch *w, const char *text, size_t len)
{
	if (monitor_feed(&w->monitor, text, len) && w->listener)
		w->listener->told(w->listener->arg, w->monitor.progress);
}

static bool grown(struct watch *w)
{
	bool console = tail_grown(&w->console, w, take_console);

	return tail_grown(&w->records, w, take_records) || console;
}

static void end_child(struct watch *w, int sig)
{
	if (uv_is_active((uv_handle_t *)&w->process))
		uv_process_kill(&w->process, sig);
}

/* SIGTERM first: QEMU then closes the plugin's file. */
static void cut_off(struct watch *w, const char *why, uint64_t now)
{
	if (w->terminated) {
		if (now - w->terminated > TERM_NS)
			end_child(w, SIGKILL);
		return;
	}
	w->cut = why;
	w->terminated = now;
	end_child(w, SIGTERM);
}

static void on_tick(uv_timer_t *timer)
{
	struct watch *w = timer->data;
	uint64_t now = uv_hrtime();

	if (grown(w))
		w->last_growth = now;
	if (w->klog.status >= KLOG_OOPS && !w->trouble)
		w->trouble = now;
	if (stop)
		end_child(w, SIGKILL);
	else if (w->trouble && (now - w->last_growth > GRACE_NS || now - w->trouble > TALK_NS))
		end_child(w, SIGKILL);
	else if (w->terminated || now - w->started > w->deadline_ns)
		cut_off(w, "deadline", now);
	else if (now - w->last_growth > w->silence_ns)
		cut_off(w, "silent", now);
}

static void on_child_exit(uv_process_t *process, int64_t code, int sig)
{
	struct watch *w = process->data;

	w->code = code;
	w->signal = sig;
	uv_close((uv_handle_t *)process, NULL);
	uv_close((uv_handle_t *)&w->timer, NULL);
}

static void remove_old(const char *dir)
{
	static const char *const files[] = { "console", "records", "meters", "qemu.err", "monitor" };

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(dir, files[i], NULL);

		unlink(path);
	}
}

static bool save_command(char **argv, const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "cmd", NULL);
	g_autoptr(GString) s = g_string_new(NULL);

	for (char **a = argv; *a; a++) {
		g_autofree char *quoted =
			g_regex_match_simple("^[A-Za-z0-9_@%+=:,./-]+$", *a, 0, 0) ?
				g_strdup(*a) :
				g_shell_quote(*a);

		g_string_append_printf(s, "%s%s", a == argv ? "" : " ", quoted);
	}
	g_string_append_c(s, '\n');
	return file_write(path, s->str, -1);
}

static int open_new(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static uv_stdio_container_t inherited(int fd)
{
	return (uv_stdio_container_t){ .flags = UV_INHERIT_FD, .data.fd = fd };
}

/*
 * setpriv makes the kernel kill QEMU when this process dies, even by SIGKILL. A session of its own
 * keeps the terminal's Ctrl-C away from it: we end it ourselves.
 */
static int spawn(struct watch *w, char **argv, const char *dir)
{
	static const char *const guard[] = { "setpriv", "--pdeathsig", "KILL", "--" };
	bool control = w->monitor.qemu >= 0;
	int err = open_new(dir, "qemu.err"), out = control ? open_new(dir, "monitor") : dup(err);
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	uv_stdio_container_t io[3] = { { .flags = UV_IGNORE } };
	uv_process_options_t o = { .file = guard[0],
				   .exit_cb = on_child_exit,
				   .stdio_count = 3,
				   .stdio = io,
				   .flags = UV_PROCESS_DETACHED };
	int rc = -errno;

	for (size_t i = 0; i < G_N_ELEMENTS(guard); i++)
		g_ptr_array_add(all, (char *)guard[i]);
	for (; *argv; argv++)
		g_ptr_array_add(all, *argv);
	g_ptr_array_add(all, NULL);
	if (control)
		io[0] = inherited(w->monitor.qemu);
	io[1] = inherited(out);
	io[2] = inherited(err);
	o.args = (char **)all->pdata;
	if (err >= 0 && out >= 0)
		rc = uv_spawn(&w->loop, &w->process, &o);
	if (err >= 0)
		close(err);
	if (out >= 0)
		close(out);
	monitor_started(&w->monitor);
	return rc;
}

/* What QEMU itself complained of: its last line. */
static char *qemu_words(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "qemu.err", NULL);
	g_autofree char *text = NULL;
	char *nl;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !*g_strchomp(text))
		return g_strdup("it said nothing");
	nl = strrchr(text, '\n');
	return g_strdup(nl ? nl + 1 : text);
}

static void judge(const struct watch *w, const char *dir, struct boot_end *end)
{
	bool bad_exit = w->code || w->signal;

	end->seconds = (uv_hrtime() - w->started) / 1e9;
	end->interrupted = stop;
	end->status = "ok";
	if (w->klog.status != KLOG_OK) {
		end->status = klog_status_name(w->klog.status);
		end->reason = g_strdup(w->klog.reason);
	} else if (w->cut) {
		end->status = w->cut;
		end->reason = g_strdup_printf("no end after %.0f s; last output %.0f s earlier",
					      end->seconds, (uv_hrtime() - w->last_growth) / 1e9);
	} else if (bad_exit) {
		g_autofree char *words = qemu_words(dir);

		end->status = "exit";
		end->reason =
			w->signal ? g_strdup_printf("qemu was killed by signal %d: %s", w->signal,
						    words) :
				    g_strdup_printf("qemu exited with %d: %s", (int)w->code, words);
		end->no_guest = !w->console.bytes && !w->records.bytes;
	}
}

static struct watch *watch_new(const json_t *plan, const char *dir)
{
	struct watch *w = g_new0(struct watch, 1);
	long long silence = j_int(plan, "silence_s");
	const json_t *expected = json_object_get(plan, "expected_report");

	w->console = (struct tail) { .path = g_build_filename(dir, "console", NULL), .fd = -1 };
	w->records = (struct tail) { .path = g_build_filename(dir, "records", NULL), .fd = -1 };
	if (expected) {
		w->klog.expected_headline = json_string_value(json_array_get(expected, 0));
		w->klog.expected_function = json_string_value(json_array_get(expected, 1));
	}
	w->deadline_ns = j_int(plan, "deadline_s") * 1000000000ull;
	w->silence_ns = (silence ? silence : 120) * 1000000000ull;
	w->process.data = w->timer.data = w;
	w->started = w->last_growth = uv_hrtime();
	uv_loop_init(&w->loop);
	uv_timer_init(&w->loop, &w->timer);
	return w;
}

static void watch_free(struct watch *w)
{
	uv_run(&w->loop, UV_RUN_DEFAULT);	/* lets closing handles close */
	uv_loop_close(&w->loop);
	if (w->console.fd >= 0)
		close(w->console.fd);
	if (w->records.fd >= 0)
		close(w->records.fd);
	monitor_close(&w->monitor);
	g_free(w->console.path);
	g_free(w->records.path);
	g_free(w);
}

bool boot_run(const json_t *plan, char **argv, const char *dir, const struct boot_listener *listener,
	      struct boot_end *end)
{
	struct watch *w;
	int rc = -1;

	*end = (struct boot_end) { .status = "exit" };
	if (!dir_make(dir))
		return false;
	remove_old(dir);
	if (!save_command(argv, dir))
		return false;
	w = watch_new(plan, dir);
	w->listener = listener;
	if (monitor_open(&w->monitor, plan))
		rc = spawn(w, argv, dir);
	if (rc) {
		pl_error("cannot start %s: %s", argv[0], uv_strerror(rc));
		uv_close((uv_handle_t *)&w->process, NULL);
		uv_close((uv_handle_t *)&w->timer, NULL);
	} else {
		uv_timer_start(&w->timer, on_tick, POLL_MS, POLL_MS);
		uv_run(&w->loop, UV_RUN_DEFAULT);
		grown(w);
		klog_end(&w->klog);
		judge(w, dir, end);
	}
	watch_free(w);
	return !rc;
}
