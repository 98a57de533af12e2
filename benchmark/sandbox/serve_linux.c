// The loop of a fork server, see python/slot.py. It runs in the server's process,
// not in this one: its machine code is sent there. So it lies in a section of its
// own and refers to nothing outside it: no other function, no text, no table. What
// it needs of the C library and of prepared data comes in struct slot, which the
// server fills in.
//
// It is in C because whatever a server in Python does between two programs writes
// to memory that it shares with the next one, and each page of that has to be copied
// for both.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#ifndef SYS_close_range // both are the same everywhere, and younger than some headers
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

// What would differ if a program had left anything in its file system, or only
// touched it.
struct look {
	int64_t files, free;
	struct {
		int64_t written, written_ns, changed, changed_ns, mode, owner;
	} directory[3];
};

struct slot {
	// Of the C library.
	long (*call)(long, long, long, long, long, long, long); // syscall(), see CALL
	int (*fork)(void);       // it also repairs the library's state in the child
	int (*clone)(void *, void *, int, void *, ...);
	int (*itself)(void *);   // slot_serve, as it was sent
	int *(*error)(void); // where errno is

	// Prepared by slot.py, which has the same list of fields so far.
	void *stack;                   // the top of that of the namespace's first process
	int64_t socket;                // the control socket
	void *filter;                  // the programs' system call filter
	const char *kind, *options;    // of the file system
	const char *directories[3];    // in it; it lies on the first, programs begin in the second
	const char *proc[4];           // kind, options and place of the programs' /proc, and where the last number given is

	// Of the programs' namespace, with whose first process this memory is shared.
	int64_t first;   // that process
	int64_t adopted; // microseconds that orphans have used so far
	int64_t numbers; // in the first process: where to write the last number given
	int32_t ordered; // it has been told to end all others, and has not done so
	int32_t failed;  // what making the namespace failed with; 0: nothing

	struct look clean; // just after it was made

	// Of one program.
	struct look now;
	int64_t request[6]; // 'R' or 'K', and limits: processor time, address space, processes, open files, file size
	int64_t report[6];  // 'E', how it ended, microseconds, kilobytes, files, microseconds of all orphans so far
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(4 * sizeof(int))]; // its descriptors
	} sent;
	struct msghdr message;
	struct iovec part;
	struct pollfd ready[2];
	struct rusage used, used_by_orphans;
	struct statfs space;
	struct statx file;
	struct rlimit limit;
	struct __user_cap_header_struct rights_of;
	struct __user_cap_data_struct rights[2]; // none
};

_Static_assert(sizeof(struct slot) - offsetof(struct slot, clean) <= 4096, "slot.py gives no more room");

// The steps that can fail, as slot.py names them. What is returned also has errno.
#define FAILED(step) ((step) << 16 | *s->error())
enum { DONE, UNMOUNT, MOUNT, MKDIR, NAMESPACE, FIRST, PROC, FORK, RIGHTS, FILTER };

#define HELPER static inline __attribute__((always_inline))

// A system call, all of whose arguments have the width of a register.
#define CALL(...) CALL_6(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_6(number, a, b, c, d, e, f, ...) \
	s->call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

// Notes what the file system looks like.
HELPER void look(struct slot *s, struct look *seen) {
	CALL(SYS_statfs, s->directories[0], &s->space);
	seen->files = s->space.f_files - s->space.f_ffree;
	seen->free = s->space.f_bfree;
	for (int i = 0; i < 3; i++) {
		CALL(SYS_statx, AT_FDCWD, s->directories[i], AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &s->file);
		seen->directory[i].written = s->file.stx_mtime.tv_sec;
		seen->directory[i].written_ns = s->file.stx_mtime.tv_nsec;
		seen->directory[i].changed = s->file.stx_ctime.tv_sec;
		seen->directory[i].changed_ns = s->file.stx_ctime.tv_nsec;
		seen->directory[i].mode = s->file.stx_mode;
		seen->directory[i].owner = s->file.stx_uid;
	}
}

// Whether the file system is as it was when it was made.
HELPER int untouched(struct slot *s) {
	const int64_t *was = (const int64_t *)&s->clean, *is = (const int64_t *)&s->now;
	for (unsigned i = 0; i < sizeof(struct look) / sizeof(int64_t); i++)
		if (was[i] != is[i])
			return 0;
	return 1;
}

// Puts an empty file system of limited size under /tmp.
HELPER int fresh(struct slot *s) {
	if (CALL(SYS_umount2, s->directories[0], MNT_DETACH) < 0)
		return FAILED(UNMOUNT);
	if (CALL(SYS_mount, s->kind, s->directories[0], s->kind, MS_NOATIME | MS_NOSUID | MS_NODEV, s->options) < 0)
		return FAILED(MOUNT);
	for (int i = 1; i < 3; i++)
		if (CALL(SYS_mkdirat, AT_FDCWD, s->directories[i], 0777) < 0)
			return FAILED(MKDIR);
	look(s, &s->clean);
	return DONE;
}

HELPER void limit(struct slot *s, int kind, int64_t value) {
	if (value < 0)
		return;
	s->limit.rlim_cur = s->limit.rlim_max = value;
	CALL(SYS_prlimit64, 0, kind, &s->limit, 0);
}

// In the child: gives up everything but four descriptors.
HELPER int become(struct slot *s, const int *fds) {
	CALL(SYS_setsid);
	CALL(SYS_dup3, fds[0], 3, 0);
	CALL(SYS_dup3, fds[1], 4, 0);
	CALL(SYS_dup3, fds[2], 1, 0);
	CALL(SYS_dup3, fds[3], 2, 0);
	CALL(SYS_close_range, 5, ~0U, 0);
	CALL(SYS_chdir, s->directories[1]);
	limit(s, RLIMIT_CORE, 0);
	limit(s, RLIMIT_STACK, 8 << 20);
	limit(s, RLIMIT_CPU, s->request[1]);
	limit(s, RLIMIT_AS, s->request[2]);
	limit(s, RLIMIT_NPROC, s->request[3]);
	limit(s, RLIMIT_NOFILE, s->request[4]);
	limit(s, RLIMIT_FSIZE, s->request[5]);
	s->rights_of.version = _LINUX_CAPABILITY_VERSION_3;
	if (CALL(SYS_capset, &s->rights_of, s->rights) < 0)
		return FAILED(RIGHTS);
	if (CALL(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, s->filter, 0, 0) < 0)
		return FAILED(FILTER);
	return DONE;
}

// A system call of a process that shares the server's memory, and so its errno, which
// the C library would write to.
HELPER long raw(long number, long a, long b, long c, long d, long e) {
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e;
	__asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
	return number;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
	return x0;
#else
#error "how does this processor ask the kernel?"
#endif
}

HELPER int64_t microseconds(const struct rusage *used) {
	return (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000000 + used->ru_utime.tv_usec + used->ru_stime.tv_usec;
}

// Mounts a /proc of this process's namespace: nothing in it can be changed, and a
// program sees its own processes alone, since this one has rights that it has not.
// What numbers the processes of the namespace stays open, in a /proc below.
HELPER int show_processes(struct slot *s) {
	long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC, place = (long)s->proc[2], kind = (long)s->proc[0], options = (long)s->proc[1];
	long failed = raw(SYS_mount, kind, place, kind, flags, options);
	s->numbers = raw(SYS_openat, AT_FDCWD, (long)s->proc[3], O_WRONLY | O_CLOEXEC, 0, 0);
	if (failed == 0)
		failed = raw(SYS_mount, kind, place, kind, flags | MS_RDONLY, options);
	return -failed;
}

// Ends all processes of the namespace but this, and says what orphans have used. The
// next program gets the same number as the first.
HELPER void end_all(struct slot *s) {
	char one = '1';
	raw(SYS_kill, -1, SIGKILL, 0, 0, 0);
	while (raw(SYS_wait4, -1, 0, 0, 0, 0) > 0)
		;
	raw(SYS_getrusage, RUSAGE_CHILDREN, (long)&s->used_by_orphans, 0, 0, 0);
	s->adopted = microseconds(&s->used_by_orphans);
	raw(SYS_pwrite64, s->numbers, (long)&one, 1, 0, 0);
	__atomic_store_n(&s->ordered, 0, __ATOMIC_SEQ_CST);
	raw(SYS_futex, (long)&s->ordered, FUTEX_WAKE, 1, 0, 0);
}

// What the first process of the programs' namespace does: it waits for each orphan, so
// that the kernel adds its processor time to that of this process's children, and ends
// what is left of a program. Programs cannot signal it where it handles no signal.
HELPER void adopt(struct slot *s) {
	volatile uint64_t action[4], ends = 1ULL << (SIGCHLD - 1); // volatile: no constants, which lie where this process has none
	for (int i = 0; i < 4; i++)
		action[i] = 0;
	for (int number = 1; number < _NSIG; number++)
		raw(SYS_rt_sigaction, number, (long)action, 0, sizeof ends, 0);
	raw(SYS_rt_sigprocmask, SIG_BLOCK, (long)&ends, 0, sizeof ends, 0); // to be waited for
	s->failed = show_processes(s);
	for (;;) {
		while (raw(SYS_wait4, -1, 0, WNOHANG, 0, 0) > 0)
			;
		if (__atomic_load_n(&s->ordered, __ATOMIC_SEQ_CST))
			end_all(s);
		raw(SYS_rt_sigtimedwait, (long)&ends, 0, 0, sizeof ends, 0);
	}
}

// What slot_serve is called with in such a process.
#define ADOPTING(s) ((void *)((char *)(s) + 1))

// Waits until the first process has done what it was told to.
HELPER void obeyed(struct slot *s) {
	while (__atomic_load_n(&s->ordered, __ATOMIC_SEQ_CST))
		CALL(SYS_futex, &s->ordered, FUTEX_WAIT, 1, 0);
}

// Makes the process namespace of all programs, with a first process that takes in
// orphans. It shares this memory, but for its stack. What this process forks from now
// on is in the namespace.
HELPER int start_namespace(struct slot *s) {
	if (CALL(SYS_unshare, CLONE_NEWPID) < 0)
		return FAILED(NAMESPACE);
	s->ordered = 1;
	s->first = s->clone((void *)s->itself, s->stack, CLONE_VM | SIGCHLD, ADOPTING(s));
	if (s->first < 0)
		return FAILED(FIRST);
	obeyed(s);
	return s->failed ? PROC << 16 | s->failed : DONE;
}

// Waits for a program's end or an order to kill it, ends all its processes, and reports.
HELPER int finish(struct slot *s, int pid) {
	s->ready[0].fd = s->socket;
	s->ready[1].fd = CALL(SYS_pidfd_open, pid, 0);
	s->ready[0].events = s->ready[1].events = POLLIN;
	s->ready[0].revents = 0;
	while (CALL(SYS_ppoll, s->ready, 2, 0, 0, 0) < 0 && *s->error() == EINTR)
		;
	if (s->ready[0].revents && CALL(SYS_recvfrom, s->socket, s->request, sizeof s->request, 0, 0, 0) <= 0)
		CALL(SYS_exit_group, 0);
	CALL(SYS_close, s->ready[1].fd);
	CALL(SYS_kill, pid, SIGKILL);
	int status = 0;
	while (CALL(SYS_wait4, pid, &status, 0, &s->used) < 0 && *s->error() == EINTR)
		;
	// What it has left behind belongs to the first process now.
	int64_t before = s->adopted;
	__atomic_store_n(&s->ordered, 1, __ATOMIC_SEQ_CST);
	CALL(SYS_kill, s->first, SIGCHLD);
	obeyed(s);
	look(s, &s->now);
	int failed = untouched(s) ? DONE : fresh(s);
	s->report[0] = 'E';
	s->report[1] = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
	s->report[2] = microseconds(&s->used) + s->adopted - before;
	s->report[3] = s->used.ru_maxrss;
	s->report[4] = s->now.files;
	s->report[5] = s->adopted;
	CALL(SYS_sendto, s->socket, s->report, sizeof s->report, 0, 0, 0);
	return failed;
}

// Serves until the other side closes the socket, which ends the process. It returns
// DONE in a forked child that has given up every right, or else what failed.
__attribute__((section("slotserve"), used)) int slot_serve(struct slot *s) {
	if ((uintptr_t)s & 1)
		adopt((struct slot *)((char *)s - 1));
	int failed = start_namespace(s);
	if (failed == DONE)
		failed = fresh(s);
	s->report[0] = 'H';
	if (failed == DONE)
		CALL(SYS_sendto, s->socket, s->report, sizeof s->report[0], 0, 0, 0);
	s->part.iov_base = s->request;
	s->part.iov_len = sizeof s->request;
	s->message.msg_iov = &s->part;
	s->message.msg_iovlen = 1;
	s->message.msg_control = &s->sent;
	while (failed == DONE) {
		s->message.msg_controllen = sizeof s->sent;
		long n = CALL(SYS_recvmsg, s->socket, &s->message, 0);
		if (n < 0 && *s->error() == EINTR)
			continue;
		if (n <= 0)
			CALL(SYS_exit_group, 0);
		if (s->request[0] != 'R')
			continue; // an order to kill that came too late
		const int *fds = (const int *)CMSG_DATA(&s->sent.head);
		int pid = s->fork();
		if (pid < 0)
			return FAILED(FORK);
		if (pid == 0)
			return become(s, fds);
		for (int i = 0; i < 4; i++)
			CALL(SYS_close, fds[i]);
		failed = finish(s, pid);
	}
	return failed;
}
