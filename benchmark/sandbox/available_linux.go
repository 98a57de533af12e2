package sandbox

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// AvailableMemory returns how much memory new programs can have, in MB, by the kernel's estimate.
func AvailableMemory() (mb int, known bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line)
		if len(f) >= 2 && string(f[0]) == "MemAvailable:" {
			kb, err := strconv.Atoi(string(f[1]))
			return kb >> 10, err == nil
		}
	}
	return 0, false
}

// ProcessorTimes returns how long the processors that this process may run on were busy and idle,
// in total.
func ProcessorTimes() (p Processors, known bool) {
	var ours unix.CPUSet
	if unix.SchedGetaffinity(0, &ours) != nil {
		return p, false
	}
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return p, false
	}
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line)
		if len(f) < 5 || !bytes.HasPrefix(f[0], []byte("cpu")) {
			break // the cpu lines come first
		}
		number := bytes.TrimPrefix(f[0], []byte("cpu"))
		if n, err := strconv.Atoi(string(number)); err != nil || !ours.IsSet(n) {
			continue // the sum over all, or a processor not in our set
		}
		// user, nice, system, idle, iowait, irq, softirq, steal; user includes guests
		for i, ticks := range f[1:min(9, len(f))] {
			n, err := strconv.ParseInt(string(ticks), 10, 64)
			if err != nil {
				return p, false
			}
			if i == 3 {
				p.Idle += n
			} else {
				p.Busy += n
			}
		}
		known = true
	}
	return p, known
}
