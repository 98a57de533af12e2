package sandbox

import (
	"os/exec"
	"strings"
	"testing"
)

// Interpreters are linked in many ways: with gaps between what is mapped, with code after
// what is written to. What is moved to huge pages is in no case anything but code and what
// touches it.
func TestCodeAmongSegments(t *testing.T) {
	const read, execute, write = "4", "5", "6"
	for _, tt := range []struct{ name, segments, want string }{
		{"as Debian links", "(0x400000, 0x41e3e8, " + read + "), (0x41f000, 0x6d1289, " + execute + "), (0x6d2000, 0x944968, " + read + "), (0x945dc8, 0xac90b8, " + write + ")",
			"0x400000 0x945000"},
		{"with gaps", "(0x400000, 0x41e3e8, " + read + "), (0x600000, 0x8d1289, " + execute + "), (0xa00000, 0xb44968, " + read + "), (0xc45dc8, 0xdc90b8, " + write + ")",
			"0x600000 0x8d2000"},
		{"code after what is written to", "(0, 0x1e3e8, " + read + "), (0x1f000, 0x22000, " + execute + "), (0x22dc8, 0x25000, " + write + "), (0x25000, 0x625000, " + execute + ")",
			"0x25000 0x625000"},
		{"not in order", "(0x2000, 0x3000, " + execute + "), (0x1000, 0x2000, " + read + ")", "0x1000 0x3000"},
		{"no code", "(0x1000, 0x2000, " + read + ")", "0x0 0x0"},
		{"nothing", "", "0x0 0x0"},
	} {
		script := slotProgram + "\nprint(*map(hex, _code_among([" + tt.segments + "])))\n"
		got, err := exec.Command(python, "-S", "-c", script).CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != tt.want {
			t.Errorf("%s: %v, %s, want %s", tt.name, err, got, tt.want)
		}
	}
}
