package disktest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"assay/data/fatal"
)

const (
	childDir = "ASSAY_DISKTEST_DIR"
	doneMark = "disktest: done "
	draws    = 6 // directories created after each system call
)

// PowerLoss runs work on the directory dir in another process, which runs the calling test again, and
// records its system calls with strace; without strace it skips the test. After each call it creates
// directories as a power loss may leave them, and passes each to check, with what work had reported as done
// by then. A file system may or may not keep each unsynced sector, and may extend a file without its data;
// of the changes to names in a directory it keeps the first ones, in order.
func PowerLoss(t *testing.T, work func(dir string, done func(what string)) error, check func(dir string, done []string)) {
	t.Helper()
	if dir := os.Getenv(childDir); dir != "" {
		err := work(dir, func(what string) { fmt.Fprintf(os.Stderr, "%s%s\n", doneMark, what) })
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir := filepath.Join(t.TempDir(), "work")
	fatal.If(t, os.Mkdir(dir, 0o755))
	disk := newDisk(dir)
	random := rand.New(rand.NewPCG(1, 2))
	losses := 0
	for _, call := range record(t, dir) {
		changed, err := disk.replay(call)
		if err != nil {
			t.Fatalf("%v: %.300s", err, call)
		}
		for i := 0; changed && i < draws; i++ {
			left := t.TempDir()
			fatal.If(t, disk.lose(random, left))
			check(left, disk.done)
			if t.Failed() {
				t.Fatalf("after %v, power loss %d, at %.300s", disk.done, losses, call)
			}
			losses++
			os.RemoveAll(left)
		}
	}
	if len(disk.done) == 0 {
		t.Fatal("nothing was reported as done")
	}
	t.Logf("%d power losses", losses)
}

// record runs the calling test in another process and returns the lines of strace.
func record(t *testing.T, dir string) []string {
	t.Helper()
	log := filepath.Join(t.TempDir(), "strace")
	args := []string{"-f", "-y", "-xx", "-s", "16777216", "-o", log, "-e", "signal=none",
		"-e", "trace=openat,write,pwrite64,writev,lseek,ftruncate,truncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat,copy_file_range,sendfile"}
	if err := exec.Command("strace", "-qq", "-o", "/dev/null", "true").Run(); err != nil {
		t.Skipf("system calls cannot be recorded: %v", err)
	}
	cmd := exec.Command("strace", append(args, os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")...)
	cmd.Env = append(os.Environ(), childDir+"="+dir, "TMPDIR="+t.TempDir()) // it ends without removing its own
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the work fails: %v\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	fatal.If(t, err)
	return whole(string(text))
}
