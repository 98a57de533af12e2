package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/data/fatal"
)

// The workflows run what a hash or a version fixes, and a workflow as a whole may not write.
func TestWorkflows(t *testing.T) {
	uses := regexp.MustCompile(`(?m)uses: *(\S+)`)
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	files, err := filepath.Glob(filepath.Join(root(t), ".github", "workflows", "*.y*ml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, filepath.Join(root(t), "cmd", "assay", "release", "programs")) {
		text := string(fatal.Read(t, file))
		for _, use := range uses.FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(use[1]) {
				t.Errorf("%s uses %s, which is not fixed by a hash", filepath.Base(file), use[1])
			}
		}
		for _, line := range regexp.MustCompile(`(?m)^.*(@latest|curl .*\| *(ba)?sh|pull_request_target).*$`).FindAllString(text, -1) {
			t.Errorf("%s runs what may change: %s", filepath.Base(file), strings.TrimSpace(line))
		}
		if whole := regexp.MustCompile(`(?m)^permissions:.*$`).FindString(text); strings.HasSuffix(file, "ml") && whole != "permissions: {}" && whole != "permissions: {contents: read}" {
			t.Errorf("%s gives all its jobs %q", filepath.Base(file), whole)
		}
	}
}
