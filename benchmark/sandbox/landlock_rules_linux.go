package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Rights to files. Earlier versions of the interface know only some of them.
const (
	landlockRead  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	landlockFiles = landlockRead | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	landlockMake  = unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	landlockDevs = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
)

// restrictFiles restricts this thread, and what it starts: it may write only below private and
// read only below visible, and neither use TCP nor reach processes outside, as far as the kernel
// supports that.
func restrictFiles(private string, visible []string) error {
	abi, err := landlockVersion()
	if err != nil {
		return err
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: landlockFiles | landlockMake | landlockDevs}
	if abi < landlockDevices {
		attr.Handled_access_fs &^= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= landlockTCP {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= landlockSignals {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	ruleset, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("making the rules for files: %w", errno)
	}
	defer unix.Close(int(ruleset))
	rules := landlockRules(private, visible)
	for _, r := range rules {
		if err := addRule(int(ruleset), r.path, r.rights&attr.Handled_access_fs); err != nil && !(r.optional && errors.Is(err, fs.ErrNotExist)) {
			return fmt.Errorf("making the rule for %s: %w", r.path, err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, 0); errno != 0 {
		return fmt.Errorf("applying the rules for files: %w", errno)
	}
	return nil
}

// landlockView lists what programs may read: the same as in Bubblewrap's boxes, and a file that
// node requires where it exists. Of /proc it has the program itself, whose process makes the rules,
// and what all programs see alike.
func landlockView() []string {
	return []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
		"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/ssl/openssl.cnf",
		"/proc/self", "/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg", "/proc/meminfo", "/proc/stat", "/proc/sys", "/proc/uptime", "/proc/version"}
}

type landlockRule struct {
	path     string
	rights   uint64
	optional bool // the path may not exist
}

func landlockRules(private string, visible []string) []landlockRule {
	rules := []landlockRule{{private, landlockFiles | landlockMake, false}}
	for _, path := range visible {
		rules = append(rules, landlockRule{path, landlockRead | unix.LANDLOCK_ACCESS_FS_READ_DIR, true})
	}
	for _, dev := range devices {
		rules = append(rules, landlockRule{"/dev/" + dev, landlockFiles &^ unix.LANDLOCK_ACCESS_FS_EXECUTE, true})
	}
	return rules
}

// addRule grants rights below a path, or for a file those that apply to files.
func addRule(ruleset int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= landlockFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// metadataCalls change owners, times and attributes of files, which Landlock does not control.
// They are refused to a program that runs as the files' owner; the others, which programs need,
// go through a broker.
var metadataCalls = [...]uint32{
	unix.SYS_FCHOWN, unix.SYS_FCHOWNAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
}

// landlockFilter is loaded on top of seccompFilter.
func landlockFilter(owner bool) ([]byte, error) {
	refuse := errno(unix.EPERM)
	program := []bpf.Instruction{bpf.LoadAbsolute{Off: offsetNumber, Size: 4}}
	if owner {
		for _, number := range append(append([]uint32(nil), metadataCalls[:]...), metadataHere[:]...) {
			program = append(program, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: number, SkipTrue: 1}, refuse)
		}
	}
	program = append(program, unless(bpf.JumpEqual, 0)...) // the caller itself
	return assemble(append(program, bpf.RetConstant{Val: seccompAllow}))
}
