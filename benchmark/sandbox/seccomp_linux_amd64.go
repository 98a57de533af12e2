package sandbox

import (
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// auditArch names the architecture in struct seccomp_data.
const auditArch = unix.AUDIT_ARCH_X86_64

// allowedHere are allowed calls that only this architecture has.
var allowedHere = [...]uint32{
	unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_NEWFSTATAT, unix.SYS_ACCESS, unix.SYS_GETDENTS, unix.SYS_READLINK,
	unix.SYS_PIPE, unix.SYS_DUP2, unix.SYS_EVENTFD, unix.SYS_SIGNALFD,
	unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT,
	unix.SYS_RENAME, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_MKNOD, unix.SYS_LINK, unix.SYS_UNLINK, unix.SYS_SYMLINK,
	unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_GETPGRP, unix.SYS_PAUSE, unix.SYS_ALARM, unix.SYS_TIME, unix.SYS_ARCH_PRCTL,
}

// architectureGuard refuses the x32 calls: they share the audit architecture with ordinary ones,
// but have bit 30 set and would pass every comparison.
func architectureGuard(refuse bpf.Instruction) []bpf.Instruction {
	return []bpf.Instruction{
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: 0x40000000, SkipTrue: 1},
		refuse,
	}
}

// metadataHere are additional metadataCalls that only this architecture has.
var metadataHere = [...]uint32{
	unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
}

// brokeredHere are additional brokered calls that only this architecture has.
var brokeredHere = [...]uint32{unix.SYS_CHMOD}

// brokeredPath reports whether the first argument of a brokered call is a path.
func brokeredPath(call int32) bool { return call == unix.SYS_CHMOD }
