package sandbox

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// reaches are programs that take as much as they get of something limited, and print after each step how much that is.
var reaches = []struct {
	what, unit string
	limit      int // that the box has
	most       int // that may be reached: some limits are polled, and a box has processes of its own
	script     string
}{
	{"memory of one process", "MB", 256, 512, "kept = []\nfor i in range(1, 200):\n    kept.append(bytearray(b'x') * (8 << 20))\n    print(8 * i, flush=True)\n"},
	{"memory of children", "MB", 256, 512, "import os, time\nfor i in range(1, 13):\n    if os.fork() == 0:\n        kept = bytearray(b'x') * (64 << 20)\n        print(64 * i, flush=True)\n        time.sleep(9)\n    time.sleep(.1)\n"},
	{"memory shared and given up", "MB", 256, 512, "import mmap, os, time\nkept = []\nfor i in range(1, 21):\n    m = mmap.mmap(-1, 64 << 20)\n    for at in range(0, 64 << 20, 4096): m[at] = 1\n    m.madvise(mmap.MADV_DONTNEED)\n    kept.append(m)\n    print(64 * i, flush=True)\ntime.sleep(1)\n"},
	{"the same of /dev/zero", "MB", 256, 512, "import mmap, os, time\nkept = []\nfor i in range(1, 21):\n    m = mmap.mmap(os.open('/dev/zero', os.O_RDWR), 64 << 20)\n    for at in range(0, 64 << 20, 4096): m[at] = 1\n    m.madvise(mmap.MADV_DONTNEED)\n    kept.append(m)\n    print(64 * i, flush=True)\ntime.sleep(1)\n"},
	{"files", "MB", 32, 64, "import os, tempfile\nf = open(os.path.join(tempfile.gettempdir(), 'x'), 'wb')\nfor i in range(1, 200):\n    f.write(bytes(1 << 20))\n    f.flush()\n    print(i, flush=True)\n"},
	{"processes", "", 16, 18, "import os, time\nfor i in range(2, 99):\n    if os.fork() == 0: time.sleep(9)\n    print(i, flush=True)\n"},
	{"output", "KB", 256, 4096, "import os\nfor i in range(1, 99999): os.write(2, b'x' * 1023 + b'\\n'); os.write(1, b'%d\\n' % i)\n"},
	{"processor time of two", "ms", 500, 1500, "import os, time\nos.fork()\nwhile True: pass\n"},
}

var lastNumber = regexp.MustCompile(`(\d+)\s*\z`)

// TestLimitsMeasured measures how much of what is limited a program reaches, in each box that isolates, and as an ordinary
// user, too, where nothing but polling may count memory: `make limits` prints the table of the manual.
func TestLimitsMeasured(t *testing.T) {
	if os.Getenv("ASSAY_LIMITS") == "" {
		t.Skip("ASSAY_LIMITS=1 measures the limits")
	}
	who := "root"
	if os.Geteuid() != 0 {
		who = "ordinary"
	}
	for _, box := range isolating[:3] {
		t.Run(box.name, func(t *testing.T) {
			b := box.open(t)
			for _, r := range reaches {
				end := runScript(t, b, r.script, Limits{MemoryMB: 256, Processes: 16, OutputKB: 256, FileMB: 32, CPU: 20 * time.Second}, Budget{CPU: 5 * time.Second, Wall: 25 * time.Second})
				if r.unit == "ms" {
					end = runScript(t, b, r.script, Limits{Processes: 16, CPU: 20 * time.Second}, Budget{CPU: time.Duration(r.limit) * time.Millisecond, Wall: 25 * time.Second})
				}
				reached := 0
				if m := lastNumber.FindSubmatch(end.Stdout); m != nil {
					reached, _ = strconv.Atoi(string(m[1]))
				}
				if r.unit == "ms" {
					reached = int(end.Usage.CPU.Milliseconds())
				}
				refused := ""
				if strings.Contains(string(end.Stderr), "Operation not permitted") {
					refused = "refused"
				}
				fmt.Printf("| %s | %s | %s | %d %s | %d %s | %s |\n", who, box.name, r.what, r.limit, r.unit, reached, r.unit, strings.Trim(string(end.Cause)+" "+refused, " "))
				if reached > r.most {
					t.Errorf("%s: %d %s of %d", r.what, reached, r.unit, r.limit)
				}
			}
		})
	}
	if who == "root" {
		for line := range strings.Lines(asOrdinaryUser(t, "TestLimitsMeasured")) {
			if strings.HasPrefix(line, "|") {
				fmt.Print(line)
			}
		}
	}
}
