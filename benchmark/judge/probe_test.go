package judge

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/data/language"
	"assay/data/sampled"
)

// TestProbes: a program that is killed when it is asked for its version, as on a busy machine, is asked again; one that
// is always killed is not said to be missing.
func TestProbes(t *testing.T) {
	for _, tt := range []struct{ name, script, version, message string }{
		{"answers", "echo 'R 1'", "R 1", ""},
		{"is killed once", "[ -e $0.asked ] || { : > $0.asked; kill -9 $$; }\necho 'R 2'", "R 2", ""},
		{"is always killed", "kill -9 $$", "", "gave no answer in 3 trials"},
		{"fails", "exit 3", "", "does not run: exit status 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			dir, err := os.MkdirTemp("/var/tmp", "assay-probe-")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(filepath.Join(dir, "lua"), []byte("#!/bin/sh\n"+tt.script+"\n"), 0o755)); err != nil {
				t.Fatal(err)
			}
			entry := *language.Find("lua")
			entry.Programs = []string{filepath.Join(dir, "lua")}
			tool, err := locate(t.Context(), &entry, interpreter{}, nil)
			if (err == nil) != (tt.message == "") || err == nil && tool.version != tt.version {
				t.Fatalf("%+v, %v, want %q %q", tool, err, tt.version, tt.message)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.message) || strings.Contains(err.Error(), "none was found")) {
				t.Errorf("%v, want %q", err, tt.message)
			}
		})
	}
}
