package sandbox

import (
	"debug/elf"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoopStandsAlone: the fork server's loop is run in another process, so nothing
// in it may need a linker, whichever machine it is compiled for.
func TestLoopStandsAlone(t *testing.T) {
	for _, compiler := range []string{"cc", "clang", "aarch64-linux-gnu-gcc"} {
		t.Run(compiler, func(t *testing.T) {
			if _, err := exec.LookPath(compiler); err != nil {
				t.Skip(err)
			}
			object := filepath.Join(t.TempDir(), "serve.o")
			// The flags of serve_linux.go, after those that cgo adds.
			said, err := exec.Command(compiler, "-g", "-O2", "-std=gnu11", "-O1", "-fPIC", "-fno-stack-protector", "-Wall", "-Wextra", "-Werror",
				"-c", "serve_linux.c", "-o", object).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			file, err := elf.Open(object)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			found := false
			for _, s := range file.Sections {
				found = found || s.Name == "slotserve"
				if s.Type != elf.SHT_PROGBITS && strings.HasSuffix(s.Name, "slotserve") {
					t.Errorf("the section %s says what is to be linked", s.Name)
				}
			}
			if !found {
				t.Error("there is no section slotserve")
			}
		})
	}
}
