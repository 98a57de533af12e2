package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session/report/reporttest"
	"assay/store"
)

// TestLargeStudy measures the report on a large study: with ASSAY_LARGE=200 that on 200 sessions with 100
// tasks of about three attempts, and on a quarter of them. It needs the program (`make build`) and several
// minutes for creating the study.
func TestLargeStudy(t *testing.T) {
	sessions, err := strconv.Atoi(os.Getenv("ASSAY_LARGE"))
	if err != nil {
		t.Skip("set ASSAY_LARGE to a number of sessions")
	}
	dir := os.Getenv("ASSAY_LARGE_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, n := range []int{sessions / 4, sessions} {
		path := filepath.Join(dir, fmt.Sprintf("large-%d.db", n))
		events, attempts := largeStore(t, path, n)
		cmd := exec.Command(filepath.Join("..", "..", "bin", "assay"), "report", "all", "--out", filepath.Join(dir, fmt.Sprintf("report-%d", n)), "--store", path)
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		t.Logf("%d sessions, %d attempts, %d events: %.1f s, %.1f s of CPU, %d MB", n, attempts, events,
			time.Since(start).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), usage.Maxrss>>10)
	}
}

// largeStore creates the study, unless it exists from an earlier run.
func largeStore(t *testing.T, path string, sessions int) (events, attempts int) {
	_, err := os.Stat(path)
	there := err == nil
	s, err := store.Open(path, store.Options{})
	fatal.If(t, err)
	defer s.Close()
	study := reporttest.Study{Tasks: 100, K: 5, Seed: 1, Models: []string{"a"}, Types: []string{"strings", "numbers", "lists", "trees"}}
	for i := range sessions {
		study.Testers = append(study.Testers, fmt.Sprintf("T%03d", i))
	}
	for i := range sessions {
		log, texts, err := study.Log(i)
		fatal.If(t, err)
		events += len(log)
		for _, e := range log {
			if strings.HasPrefix(string(e.Payload.Kind()), "judged") {
				attempts++
			}
		}
		if there {
			continue
		}
		if _, err := s.Append(context.Background(), fmt.Sprintf("01HZ%022d", i), log, texts); err != nil {
			t.Fatal(err)
		}
	}
	return events, attempts
}
