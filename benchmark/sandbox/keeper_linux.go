package sandbox

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// keeperName is the name under which this program starts itself to supervise a program under
// Landlock.
const keeperName = "assay-keeper"

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
	Visible []string // paths that may be read and executed
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
	if len(os.Args) != 1 || os.Args[0] != keeperName {
		return
	}
	if err := keep(); err != nil {
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
	pid, err := startRestricted(&order)
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

// startRestricted starts the program from a thread that has given up its rights, which the
// program inherits.
func startRestricted(order *keeperOrderText) (int, error) {
	type started struct {
		pid int
		err error
	}
	result := make(chan started)
	var start func()
	start = func() {
		runtime.LockOSThread() // and never unlocked: the thread stays as long as the program
		if unix.Gettid() == unix.Getpid() {
			// For the kernel, the first thread is the process: if it had the program's
			// restrictions, the program could signal the keeper.
			go start()
			select {}
		}
		pid, err := restrictAndStart(order)
		result <- started{pid, err}
		select {}
	}
	go start()
	s := <-result
	return s.pid, s.err
}

func restrictAndStart(order *keeperOrderText) (int, error) {
	cmd := exec.Command(order.Argv[0], order.Argv[1:]...)
	cmd.Env, cmd.Dir = order.Env, order.Dir
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{os.NewFile(keeperRead, "control"), os.NewFile(keeperWrite, "control")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if order.User != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(order.User), Gid: uint32(order.User)}
	}
	nothing, err := os.Open("/dev/null")
	if err != nil {
		return 0, err
	}
	cmd.Stdin = nothing
	sealDescriptors()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("giving up new privileges: %w", err)
	}
	if err := restrictFiles(order.Private, order.Visible); err != nil {
		return 0, err
	}
	if order.User == 0 {
		b, err := newBroker(order.Private)
		if err != nil {
			return 0, err
		}
		go b.serve()
	}
	for _, filter := range order.Filters {
		if _, err := loadFilter(filter, 0); err != nil {
			return 0, err
		}
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	for _, f := range cmd.ExtraFiles { // so that the streams end with the program
		f.Close()
	}
	unix.Dup2(int(nothing.Fd()), 1)
	unix.Dup2(int(nothing.Fd()), 2)
	return cmd.Process.Pid, nil
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
