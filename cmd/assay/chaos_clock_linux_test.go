package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
)

// jumps is the environment variable that configures the clock of a program built by [buildJumping]: its
// error in seconds from the start, the time of the jump in milliseconds, and the error in seconds after it.
const jumps = "ASSAY_CHAOS_JUMPS"

const jump = `package time

import "syscall"

var jumpFirst, jumpAfter, jumpThen = jumpsOf("ASSAY_CHAOS_JUMPS")

func jumpsOf(name string) (int64, int64, int64) {
	var n [3]int64
	text, _ := syscall.Getenv(name)
	at, sign := 0, int64(1)
	for i := 0; i < len(text) && at < len(n); i++ {
		switch c := text[i]; c {
		case '-':
			sign = -1
		case ' ':
			at, sign = at+1, 1
		default:
			n[at] = n[at]*10 + sign*int64(c-'0')
		}
	}
	return n[0], n[1] * 1_000_000, n[2]
}

func jumped(mono int64) int64 {
	if mono-startNano < jumpAfter {
		return jumpFirst
	}
	return jumpThen
}
`

// buildJumping builds a program whose wall clock can jump, since a time namespace cannot change that clock,
// and a static program ignores preloaded libraries.
func buildJumping(t *testing.T, dir string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	fatal.If(t, err)
	now := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(now)
	if err != nil {
		t.Log("the wall clock does not jump: ", err)
		return ""
	}
	const reads = "sec, nsec, mono := runtimeNow()\n"
	if strings.Count(string(text), reads) == 0 {
		t.Logf("the wall clock does not jump: time.Now is not as it was in Go 1.26")
		return ""
	}
	replace := map[string]string{}
	for path, text := range map[string]string{now: strings.ReplaceAll(string(text), reads, reads+"\tsec += jumped(mono)\n"), filepath.Join(filepath.Dir(now), "jump.go"): jump} {
		replace[path] = filepath.Join(dir, filepath.Base(path))
		fatal.If(t, os.WriteFile(replace[path], []byte(text), 0o600))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	fatal.If(t, err)
	path := filepath.Join(dir, "overlay.json")
	fatal.If(t, os.WriteFile(path, overlay, 0o600))
	bin := filepath.Join(dir, "assay")
	fatal.If(t, build(bin, ".", "-overlay", path))
	return bin
}
