package sandbox

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data, see seccomp(2). Arguments are 64 bits wide;
// on little-endian machines the low half comes first.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArg0   = 16
	offsetArg1   = 24
	offsetArg3   = 40
)

// socketTypes are the bits of a socket's type beside its flags.
const socketTypes = 0xf

// Results of the filter.
const (
	seccompAllow = 0x7fff0000
	seccompErrno = 0x00050000
	seccompKill  = 0x80000000 // the whole process
)

// deniedFlags are flags of clone(2): those that make new namespaces, and the one that makes a
// child of the caller's parent. That parent is a fork server, which would never wait for it, and
// so never see its namespace end.
const deniedFlags = unix.CLONE_PARENT | unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME

// allowedCalls are the system calls that programs in boxes may make: files, their own memory,
// processes and time. All others fail with EPERM; those newer than this list with ENOSYS, as in
// an older kernel, so that libraries fall back. They would give access to the kernel's
// administration, other processes' memory, namespaces, the network, memory that no limit counts
// (memfd_create, io_setup, System V's shared memory), and what others do with files that boxes
// share with the system: inotify and fanotify name every program that anyone starts, and preadv2
// tells whether a file has been read. allowedHere has legacy calls of single architectures.
var allowedCalls = [...]uint32{
	// Files. socketpair connects a process only with itself, see seccompFilter.
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_READV, unix.SYS_WRITEV,
	unix.SYS_PREADV, unix.SYS_PWRITEV, unix.SYS_PWRITEV2, unix.SYS_LSEEK,
	unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_TEE, unix.SYS_VMSPLICE, unix.SYS_COPY_FILE_RANGE,
	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_FCNTL,
	unix.SYS_FLOCK, unix.SYS_PIPE2, unix.SYS_SOCKETPAIR, unix.SYS_EVENTFD2, unix.SYS_TIMERFD_CREATE,
	unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME, unix.SYS_SIGNALFD4,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_PPOLL, unix.SYS_PSELECT6,
	unix.SYS_FSTAT, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2,
	unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR, unix.SYS_UMASK, unix.SYS_READLINKAT,
	unix.SYS_TRUNCATE, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FADVISE64, unix.SYS_READAHEAD,
	unix.SYS_SYNC, unix.SYS_SYNCFS, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SYNC_FILE_RANGE,
	unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT,
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
	unix.SYS_SENDTO, unix.SYS_RECVFROM, unix.SYS_SENDMSG, unix.SYS_RECVMSG, unix.SYS_SENDMMSG, unix.SYS_RECVMMSG, unix.SYS_SHUTDOWN,
	unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT, unix.SYS_SETSOCKOPT, unix.SYS_IOCTL,
	// Memory.
	unix.SYS_BRK, unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MSYNC, unix.SYS_MINCORE,
	unix.SYS_MLOCK, unix.SYS_MLOCK2, unix.SYS_MUNLOCK, unix.SYS_MLOCKALL, unix.SYS_MUNLOCKALL, unix.SYS_MEMBARRIER,
	unix.SYS_PKEY_ALLOC, unix.SYS_PKEY_FREE, unix.SYS_PKEY_MPROTECT, unix.SYS_GET_MEMPOLICY,
	// Processes, threads and signals.
	unix.SYS_CLONE, unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID,
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGSUSPEND, unix.SYS_RT_SIGPENDING,
	unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
	unix.SYS_FUTEX, unix.SYS_FUTEX_WAITV, unix.SYS_FUTEX_WAKE, unix.SYS_FUTEX_WAIT, unix.SYS_FUTEX_REQUEUE,
	unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_RSEQ,
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETPGID, unix.SYS_SETPGID, unix.SYS_GETSID, unix.SYS_SETSID,
	unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRESUID, unix.SYS_GETRESGID, unix.SYS_GETGROUPS,
	unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID, unix.SYS_SETGROUPS,
	unix.SYS_SETFSUID, unix.SYS_SETFSGID, unix.SYS_CAPGET, unix.SYS_CAPSET, unix.SYS_PRCTL, unix.SYS_SECCOMP,
	unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT, unix.SYS_PRLIMIT64, unix.SYS_GETRUSAGE, unix.SYS_GETPRIORITY, unix.SYS_SETPRIORITY,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_SETAFFINITY,
	unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_GETSCHEDULER, unix.SYS_SCHED_SETSCHEDULER,
	unix.SYS_SCHED_GETATTR, unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN,
	unix.SYS_SCHED_RR_GET_INTERVAL, unix.SYS_GETCPU,
	// Time, and facts about the machine.
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES,
	unix.SYS_GETITIMER, unix.SYS_SETITIMER, unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME,
	unix.SYS_TIMER_GETOVERRUN, unix.SYS_TIMER_DELETE, unix.SYS_GETRANDOM, unix.SYS_UNAME, unix.SYS_SYSINFO,
}

// reaching are calls that change other processes of the same user; their first argument says which.
var reaching = [...]uint32{
	unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
}

// unless returns rules that refuse these calls unless a condition holds for that process.
func unless(condition bpf.JumpTest, pid uint32) (rules []bpf.Instruction) {
	for _, call := range reaching {
		rules = append(rules, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: call, SkipTrue: 4},
			bpf.LoadAbsolute{Off: offsetArg0, Size: 4}, bpf.JumpIf{Cond: condition, Val: pid, SkipTrue: 1}, errno(unix.EPERM),
			bpf.RetConstant{Val: seccompAllow})
	}
	return rules
}

// slotCalls are additional calls that a fork server needs. Its children refuse them with a small
// filter of their own, on top of the server's, since loading a large one takes the kernel a
// twentieth of a millisecond.
var slotCalls = [...]uint32{unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2}

// treeCalls are additional calls of programs that have a tree: tests of repositories start servers
// on the box's own loopback interface, beyond which there is no network.
var treeCalls = [...]uint32{unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_CONNECT}

// treeFilter returns the filter of programs that have a tree.
func treeFilter() ([]byte, error) {
	return assemble(filterProgram([]bpf.Instruction{
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_SOCKET, SkipTrue: 6},
		bpf.LoadAbsolute{Off: offsetArg0, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipTrue: 3},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_INET, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_INET6, SkipTrue: 1},
		errno(unix.EPERM),
		bpf.RetConstant{Val: seccompAllow},
	}, treeCalls[:]...))
}

// seccompFilter builds the filter for this architecture in the kernel's format: an array of
// struct sock_filter. It also allows the calls of more.
func seccompFilter(more ...uint32) ([]byte, error) { return assemble(filterProgram(nil, more...)) }

// filterProgram returns the filter's instructions. rules decide first; they begin with the call's
// number in the accumulator and leave it there where they do not decide.
func filterProgram(rules []bpf.Instruction, more ...uint32) []bpf.Instruction {
	allow, refuse, missing := bpf.RetConstant{Val: seccompAllow}, errno(unix.EPERM), errno(unix.ENOSYS)
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offsetArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: seccompKill},
		bpf.LoadAbsolute{Off: offsetNumber, Size: 4},
	}
	program = append(program, architectureGuard(missing)...)
	program = append(program, rules...)
	// The first process of a process namespace belongs to the box, and may outlive the program.
	program = append(program, unless(bpf.JumpNotEqual, 1)...)
	program = append(program,
		// A program in a process namespace below its parent's sees 0 as its parent, and killing 0
		// kills its own process group.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_KILL, SkipTrue: 4},
		bpf.LoadAbsolute{Off: offsetArg0, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: 0, SkipTrue: 1},
		refuse,
		allow,
		// The flags of clone3 are in memory, which a filter cannot read. The C library falls back
		// to clone.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_CLONE3, SkipTrue: 1},
		missing,
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_CLONE, SkipTrue: 4},
		bpf.LoadAbsolute{Off: offsetArg0, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: deniedFlags, SkipTrue: 1},
		refuse,
		allow,
		// A datagram socket can send to any address, even out of a box that shares the host's
		// files.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_SOCKETPAIR, SkipTrue: 6},
		bpf.LoadAbsolute{Off: offsetArg1, Size: 4},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: socketTypes},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_STREAM, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_SEQPACKET, SkipTrue: 1},
		refuse,
		allow,
		// Do not change the priority of another process, or of all processes of a user.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_SETPRIORITY, SkipTrue: 6},
		bpf.LoadAbsolute{Off: offsetArg0, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.PRIO_PROCESS, SkipTrue: 2},
		bpf.LoadAbsolute{Off: offsetArg1, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 1},
		refuse,
		allow,
		// Nor tell of what others do in a directory, or with a file.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_FCNTL, SkipTrue: 5},
		bpf.LoadAbsolute{Off: offsetArg1, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_NOTIFY, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.F_SETLEASE, SkipTrue: 1},
		refuse,
		allow,
		// Memory that is shared without a file stays when it is no longer mapped, and no process has it.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_MMAP, SkipTrue: 5},
		bpf.LoadAbsolute{Off: offsetArg3, Size: 4},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: unix.MAP_ANONYMOUS | unix.MAP_SHARED},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.MAP_ANONYMOUS | unix.MAP_SHARED, SkipTrue: 1},
		refuse,
		allow,
		// Do not push characters into a terminal.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_IOCTL, SkipTrue: 5},
		bpf.LoadAbsolute{Off: offsetArg1, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCSTI, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.TIOCLINUX, SkipTrue: 1},
		refuse,
		allow,
	)
	allowed := slices.Concat(allowedCalls[:], allowedHere[:], more)
	slices.Sort(allowed)
	newest := allowed[len(allowed)-1]
	program = append(program, bpf.JumpIf{Cond: bpf.JumpLessOrEqual, Val: newest, SkipTrue: 1}, missing)
	return append(program, search(runs(allowed))...)
}

// run is a run of calls with consecutive numbers.
type run struct{ first, last uint32 }

// runs groups sorted numbers into runs.
func runs(numbers []uint32) []run {
	var list []run
	for _, n := range numbers {
		if last := len(list) - 1; last >= 0 && n <= list[last].last+1 {
			list[last].last = n
		} else {
			list = append(list, run{n, n})
		}
	}
	return list
}

// search builds a binary search that allows the number in the accumulator if it is in one of the
// runs.
func search(list []run) []bpf.Instruction {
	if len(list) == 1 {
		return []bpf.Instruction{
			bpf.JumpIf{Cond: bpf.JumpLessThan, Val: list[0].first, SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: list[0].last, SkipTrue: 1},
			bpf.RetConstant{Val: seccompAllow},
			errno(unix.EPERM),
		}
	}
	half := len(list) / 2
	lower, upper := search(list[:half]), search(list[half:])
	if len(lower) > math.MaxUint8 {
		panic("sandbox: too many runs of system calls for one jump")
	}
	jump := bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: list[half].first, SkipTrue: uint8(len(lower))}
	return slices.Concat([]bpf.Instruction{jump}, lower, upper)
}

func errno(e unix.Errno) bpf.Instruction { return bpf.RetConstant{Val: seccompErrno | uint32(e)} }

// slotFilter returns the filter that a fork server's children load.
func slotFilter() ([]byte, error) {
	program := []bpf.Instruction{bpf.LoadAbsolute{Off: offsetNumber, Size: 4}}
	for _, number := range slotCalls {
		program = append(program,
			bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: number, SkipTrue: 1},
			bpf.RetConstant{Val: seccompErrno | uint32(unix.EPERM)})
	}
	return assemble(append(program, bpf.RetConstant{Val: seccompAllow}))
}

func assemble(program []bpf.Instruction) ([]byte, error) {
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, fmt.Errorf("assembling the seccomp filter: %w", err)
	}
	var out []byte
	for _, in := range raw {
		out = binary.NativeEndian.AppendUint16(out, in.Op)
		out = append(out, in.Jt, in.Jf)
		out = binary.NativeEndian.AppendUint32(out, in.K)
	}
	return out, nil
}
