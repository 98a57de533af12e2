package sandbox

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// userHZ is the unit of the times in /proc/<pid>/stat. The kernel reports 100 to programs on
// every architecture that Go runs on.
const userHZ = 100

// meter measures a tree of processes by reading /proc. It is not safe for
// concurrent use.
type meter struct {
	root    int                // the process that all others descend from; 0: not found yet
	beside  int                // a second root; 0: none
	find    func() (int, int)  // finds both; 0 when they have ended
	seen    map[procID]procCPU // the last known own time of every observed process
	usage   Usage              // the last measurement
	remote  func() Usage       // measures where /proc does not list the processes; nil: it does
	outer   bool               // the root belongs to the box: only times of its children count
	waited  time.Duration      // of the root's children before the program
	group   *group             // of the processes, and perhaps of their box; nil: none
	before  time.Duration      // what the group had used before the program
	counted bool               // before has been measured
	looked  time.Time          // the last measurement; zero: none
	disk    time.Duration      // for which only a disk was waited for
	pageKB  int64              // size of a memory page
	scratch map[int]procStat   // of the current walk, by pid
}

// procID distinguishes processes that reused a pid.
type procID struct {
	pid   int
	start uint64
}

// procCPU is a process's own time: it had a processor, or waited for one.
type procCPU struct{ own, delayed time.Duration }

func newMeter(root int) *meter {
	return &meter{root: root, seen: map[procID]procCPU{}, pageKB: int64(os.Getpagesize() / 1024)}
}

// read measures now. It computes two sums of processor time, since each misses something: what
// living processes report for themselves and the children they waited for misses children that
// were never waited for; the last own time of every observed process misses those too short-lived
// to be observed. A group misses nothing after the first measurement. The largest counts.
func (m *meter) read() Usage {
	before, now := m.usage, time.Now()
	m.usage.state = 0
	m.measure()
	m.usage.Idle = before.Idle
	if !m.looked.IsZero() {
		m.usage.Idle += m.idle(min(now.Sub(m.looked), mostGap), m.usage.CPU+m.usage.Delayed-before.CPU-before.Delayed)
	}
	m.looked = now
	return m.usage
}

const (
	// mostGap is how much idleness one measurement can find. They follow each other every few hundredths of
	// a second unless this process itself waits for a processor, and nothing is known of the others then.
	mostGap = 5 * pollLast

	// mostDisk is how long a box may wait for a disk, which a program can also pretend to.
	mostDisk = 20 * time.Second
)

// idle returns how much of the time since the last measurement was idle; worked is what processes computed and
// waited for a processor meanwhile.
func (m *meter) idle(gap, worked time.Duration) time.Duration {
	switch m.usage.state {
	case 'R': // perhaps one of many short-lived ones, of which hardly anything is measured
		return 0
	case 'D':
		waited := min(gap, mostDisk-m.disk)
		m.disk += waited
		gap -= waited
	}
	return max(gap-worked, 0)
}

// saw records the state of a thread.
func (m *meter) saw(state byte) {
	if state == 'R' || state == 'D' && m.usage.state != 'R' {
		m.usage.state = state
	}
}

// measure sums up what all processes have used.
func (m *meter) measure() {
	if m.remote != nil {
		m.usage = m.remote()
		return
	}
	if m.root == 0 {
		if m.root, m.beside = m.find(); m.root == 0 {
			return
		}
	}
	m.scratch = map[int]procStat{}
	m.walk(m.root)
	if m.beside != 0 {
		m.walk(m.beside)
	}
	var living time.Duration
	var rss int64
	for pid, s := range m.scratch {
		own := max(s.own, s.exact.own)
		if m.outer && pid == m.root {
			own, s.exact.delayed, s.rssPages = 0, 0, 0
			s.waited = max(s.waited-m.waited, 0)
		}
		living += own + s.waited
		rss += s.rssPages * m.pageKB
		id := procID{pid, s.start}
		m.seen[id] = procCPU{own, max(s.exact.delayed, m.seen[id].delayed)} // ended threads no longer count
	}
	var ever, delayed time.Duration
	for _, c := range m.seen {
		ever += c.own
		delayed += c.delayed
	}
	m.usage.CPU = max(m.usage.CPU, living, ever, m.byGroup(max(living, ever)))
	m.usage.Delayed = delayed
	m.usage.MemoryKB = rss
	m.usage.PeakKB = max(m.usage.PeakKB, rss)
}

// byGroup returns the processor time by the group's count. found is what the first measurement
// found by itself. It returns 0 if there is no group that counts.
func (m *meter) byGroup(found time.Duration) time.Duration {
	all, known := m.group.cpu()
	if known && !m.counted {
		m.before, m.counted = all-found, true
	}
	return all - m.before
}

// precise measures resident memory with shared pages counted once; it is slower, and only needed
// when the plain sum exceeds a limit. It returns false where the kernel does not report it.
func (m *meter) precise() (kb int64, ok bool) {
	if m.remote != nil {
		return m.usage.MemoryKB, true // it already counts in this way
	}
	for pid := range m.scratch {
		if m.outer && pid == m.root {
			continue
		}
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
		if err != nil {
			if errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ESRCH) {
				continue // has ended
			}
			return 0, false
		}
		for line := range strings.Lines(string(text)) {
			if rest, found := strings.CutPrefix(line, "Pss:"); found {
				n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
				kb += n
			}
		}
	}
	return kb, kb > 0
}

// hoards reports whether a process has mapped /dev/zero to share it: such memory stays when the process gives it up, and
// only a group counts it. The filter refuses the same without a file.
func (m *meter) hoards() bool {
	if m.remote != nil || m.group != nil {
		return false
	}
	for pid := range m.scratch {
		text, err := readProc("/proc/" + strconv.Itoa(pid) + "/maps")
		if err != nil || !bytes.Contains(text, []byte("/dev/zero")) {
			continue
		}
		for line := range bytes.Lines(text) {
			if fields := bytes.Fields(line); len(fields) > 5 && fields[1][3] == 's' && bytes.HasPrefix(fields[5], []byte("/dev/zero")) {
				return true
			}
		}
	}
	return false
}

// walk measures pid and its descendants.
func (m *meter) walk(pid int) {
	if _, known := m.scratch[pid]; known {
		return
	}
	s, ok := readStat(pid)
	if !ok {
		return // it has ended, and its children have another parent
	}
	tasks := []string{strconv.Itoa(pid)}
	dir := "/proc/" + tasks[0] + "/task/"
	if s.threads > 1 {
		if entries, err := readNames(dir); err == nil && len(entries) > 0 {
			tasks = entries
		}
	}
	for _, t := range tasks {
		exact := readSchedstat(dir + t)
		s.exact.own += exact.own
		s.exact.delayed += exact.delayed
		if len(tasks) > 1 && m.usage.state != 'R' {
			s.state = stateIn(readStatOf(dir + t))
		}
		if !m.outer || pid != m.root {
			m.saw(s.state)
		}
	}
	m.scratch[pid] = s
	for _, t := range tasks {
		for _, child := range children(dir + t) {
			m.walk(child)
		}
	}
}

// readProc reads a small file of /proc. Several are read every few milliseconds, so it avoids the
// overhead of os.File.
func readProc(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	const entry = 32 // longer than a number: one that does not fit comes with the next read
	text := make([]byte, 0, 1<<10)
	for {
		n, err := unix.Read(fd, text[len(text):cap(text)])
		if err != nil {
			return nil, err
		}
		text = text[:len(text)+n]
		if n == 0 || len(text) < cap(text)-entry {
			return text, nil
		}
		text = slices.Grow(text, cap(text))
	}
}

// children returns the pids of a thread's children, the oldest first; thread is its directory in
// /proc.
func children(thread string) []int {
	text, err := readProc(thread + "/children")
	if err != nil {
		return nil
	}
	var pids []int
	for _, f := range bytes.Fields(text) {
		if pid, err := strconv.Atoi(string(f)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

func readNames(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

type procStat struct {
	state       byte
	own, waited time.Duration
	exact       procCPU // if the kernel reports it, see readSchedstat
	rssPages    int64
	threads     int
	start       uint64
}

// readStatOf returns the fields of the file stat of a process or thread from the third on, see proc(5); none if
// it has ended. The command's name, the second field, may contain spaces and parentheses.
func readStatOf(dir string) [][]byte {
	text, _ := readProc(dir + "/stat")
	return bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
}

// stateIn returns the state among these fields.
func stateIn(fields [][]byte) byte {
	if len(fields) == 0 {
		return 0
	}
	return fields[0][0]
}

// readStat measures a process.
func readStat(pid int) (procStat, bool) {
	f := readStatOf("/proc/" + strconv.Itoa(pid))
	if len(f) < 22 {
		return procStat{}, false
	}
	n := func(field int) int64 {
		v, _ := strconv.ParseInt(string(f[field-3]), 10, 64)
		return v
	}
	tick := time.Second / userHZ
	return procStat{
		state:    stateIn(f),
		own:      time.Duration(n(14)+n(15)) * tick,
		waited:   time.Duration(n(16)+n(17)) * tick,
		start:    uint64(n(22)),
		rssPages: n(24),
		threads:  int(n(20)),
	}, true
}

// readSchedstat returns the exact times of a living thread, given its directory in /proc, if the
// kernel reports them; the times in stat have a resolution of 10 ms.
func readSchedstat(thread string) procCPU {
	text, err := readProc(thread + "/schedstat")
	if err != nil {
		return procCPU{}
	}
	own, rest, _ := strings.Cut(string(text), " ")
	delayed, _, _ := strings.Cut(rest, " ")
	ns := func(field string) time.Duration { n, _ := strconv.ParseInt(field, 10, 64); return time.Duration(n) }
	return procCPU{ns(own), ns(delayed)}
}

// filesUsed counts the files and directories of the private file system. While the box is being
// set up, the path still leads to the host's directory, which must not be counted: the private
// one is recognized by its size.
func (m *meter) filesUsed(dir string, sizeMB int) int {
	if m.root == 0 {
		return 0
	}
	var st unix.Statfs_t
	if err := unix.Statfs("/proc/"+strconv.Itoa(m.root)+"/root"+dir, &st); err != nil {
		return 0
	}
	if st.Type != unix.TMPFS_MAGIC || int64(st.Blocks)*st.Bsize != int64(sizeMB)<<20 {
		return 0
	}
	return int(st.Files - st.Ffree)
}
