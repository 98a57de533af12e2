package console

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
)

// What `make build` links in is the commit, its date, and whether anything was not committed.
func TestCommit(t *testing.T) {
	defer func() { stamped = "" }()
	for _, changed := range []bool{false, true} {
		if stamped = "abc@2026-03-01T10:00:00Z"; changed {
			stamped += "+"
		}
		if hash, date, is := Commit(); hash != "abc" || date != "2026-03-01T10:00:00Z" || is != changed {
			t.Errorf("%s: %s, %s, %v", stamped, hash, date, is)
		}
	}
	if text := string(fatal.Read(t, filepath.Join("..", "..", "..", "Makefile"))); !strings.Contains(text, "/cmd/cli/console.stamped=$(STAMP)") {
		t.Error("make build does not link the commit in")
	}
}
