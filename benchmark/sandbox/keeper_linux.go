package sandbox

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"assay/data/program"
)

// Names under which this program starts itself: to supervise a program under Landlock, and to become
// that program.
const (
	keeperName     = "assay-keeper"
	restrictedName = "assay-restricted"
)

// Descriptors of a keeper besides the standard ones.
const (
	keeperRead   = 3 // the program's control channel
	keeperWrite  = 4
	keeperOrder  = 5 // from assay: the order, then a byte to kill; end of file: assay has ended
	keeperReport = 6 // to assay: how the program ended
)

// keeperOrderText is the order to a keeper, one line of JSON.
type keeperOrderText struct {
	Argv    []string
	Env     []string
	Dir     string   // the working directory
	Private string   // the directory that may be written
	Visible []string // paths that may be read and executed, also those of the program itself in /proc
	Filters [][]byte // system call filters, all of which apply
	User    int      // the user that the program runs as; 0: the keeper's
}

// keeperReportText is a keeper's report after all processes have ended.
type keeperReportText struct {
	Exit  int
	CPUUS int64 // of the program and everything it started, in microseconds
	RSSKB int64 // the peak of a single process
}

// Reexec must be the first call of a program that makes Landlock boxes: such a box starts the
// same program again, which restricts itself and then runs the untrusted program. It returns at
// once if the program was started in any other way.
func Reexec() {
	role := map[string]func() error{keeperName: keep, restrictedName: restrict}[os.Args[0]]
	if len(os.Args) != 1 || role == nil {
		return
	}
	if err := role(); err != nil {
		fmt.Fprintf(os.Stderr, "assay: restricting a program with Landlock: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// keep starts the ordered program with all restrictions, waits for its end, kills everything it
// started, and reports.
func keep() error {
	// Orphans below become children of this process.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("becoming the parent of orphans: %w", err)
	}
	for fd := keeperRead; fd <= keeperReport; fd++ {
		unix.CloseOnExec(fd)
	}
	orders := bufio.NewReader(os.NewFile(keeperOrder, "orders"))
	line, err := orders.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading the order: %w", err)
	}
	var order keeperOrderText
	if err := json.Unmarshal(line, &order); err != nil {
		return fmt.Errorf("reading the order: %w", err)
	}
	pid, err := start(&order)
	if err != nil {
		return err
	}
	go func() { // an order to kill, or the end of assay
		orders.ReadByte()
		killAllBelow()
		for { // also what starts meanwhile
			time.Sleep(time.Millisecond)
			killAllBelow()
		}
	}()
	report, err := json.Marshal(awaitAll(pid))
	if err != nil {
		return err
	}
	_, err = os.NewFile(keeperReport, "report").Write(report)
	return err
}

// start starts the program, in a process that is to restrict itself.
func start(order *keeperOrderText) (int, error) {
	orders, orderTo, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	cmd := program.Command(context.Background(), program.Box, "/proc/self/exe")
	cmd.Args[0], cmd.Dir = restrictedName, order.Dir
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{os.NewFile(keeperRead, "control"), os.NewFile(keeperWrite, "control"), orders}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if cmd.Stdin, err = os.Open("/dev/null"); err != nil {
		return 0, err
	}
	runtime.LockOSThread() // and never unlocked: the program ends with this thread
	sealDescriptors()
	if order.User == 0 {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return 0, fmt.Errorf("giving up new privileges: %w", err)
		}
		b, err := newBroker(order.Private)
		if err != nil {
			return 0, err
		}
		go b.serve()
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	// The rule for a directory in /proc is kept only as long as somebody holds that.
	if _, err := unix.Open("/proc/"+strconv.Itoa(cmd.Process.Pid), unix.O_PATH|unix.O_CLOEXEC, 0); err != nil {
		return 0, err
	}
	if err := json.NewEncoder(orderTo).Encode(order); err != nil {
		return 0, err
	}
	orderTo.Close()
	for _, f := range cmd.ExtraFiles { // so that the streams end with the program
		f.Close()
	}
	nothing := cmd.Stdin.(*os.File)
	unix.Dup2(int(nothing.Fd()), 1)
	unix.Dup2(int(nothing.Fd()), 2)
	return cmd.Process.Pid, nil
}

// restrict gives up all rights of this process that the order does not name, and becomes the
// program. A program can look at itself in /proc because the rule for that is made here.
func restrict() error {
	runtime.LockOSThread() // what is given up and what becomes the program is a thread
	orders := os.NewFile(keeperOrder, "orders")
	var order keeperOrderText
	if err := json.NewDecoder(orders).Decode(&order); err != nil {
		return fmt.Errorf("reading the order: %w", err)
	}
	orders.Close()
	if user := uintptr(order.User); user != 0 {
		unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0)
		unix.RawSyscall(unix.SYS_SETRESGID, user, user, user)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, user, user, user); errno != 0 {
			return fmt.Errorf("becoming another user: %w", errno)
		}
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil { // which another user loses
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up new privileges: %w", err)
	}
	if err := restrictFiles(order.Private, order.Visible); err != nil {
		return err
	}
	for _, filter := range order.Filters {
		if _, err := loadFilter(filter, 0); err != nil {
			return err
		}
	}
	return fmt.Errorf("starting %s: %w", order.Argv[0], unix.Exec(order.Argv[0], order.Argv, order.Env))
}

// loadFilter loads a system call filter for this thread. It returns the kernel's result, which
// depends on the flags.
func loadFilter(text []byte, flags uintptr) (int, error) {
	program := make([]unix.SockFilter, len(text)/8)
	for i := range program {
		in := text[8*i:]
		program[i] = unix.SockFilter{Code: binary.NativeEndian.Uint16(in), Jt: in[2], Jf: in[3], K: binary.NativeEndian.Uint32(in[4:])}
	}
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	n, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return 0, fmt.Errorf("loading the system call filter: %w", errno)
	}
	runtime.KeepAlive(program)
	return int(n), nil
}

// awaitAll waits for the program, then kills everything that is left and waits for it.
func awaitAll(pid int) keeperReportText {
	var report keeperReportText
	main := false
	for {
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(-1, &status, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil { // no child is left
			break
		}
		if ended == pid {
			main = true
			report.Exit = status.ExitStatus()
			if status.Signaled() {
				report.Exit = -int(status.Signal())
			}
		}
		if main {
			killAllBelow()
		}
	}
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used) == nil {
		report.CPUUS = (used.Utime.Nano() + used.Stime.Nano()) / 1000
		report.RSSKB = used.Maxrss
	}
	return report
}

// killAllBelow kills every descendant of this process.
func killAllBelow() {
	m := newMeter(os.Getpid())
	m.scratch = map[int]procStat{}
	m.walk(m.root)
	for pid := range m.scratch {
		if pid != m.root {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// readReport reads a keeper's report; a killed keeper leaves none.
func readReport(from io.Reader) (keeperReportText, error) {
	var report keeperReportText
	err := json.NewDecoder(from).Decode(&report)
	return report, err
}
