package sandbox

import (
	"strings"
	"testing"
)

// Systems without a sandbox are told what works there, and the commands that give the rest.
func TestElsewhere(t *testing.T) {
	if text := elsewhere("linux"); text != "" {
		t.Error(text)
	}
	for system, name := range map[string]string{"windows": "Windows", "darwin": "macOS", "freebsd": "freebsd"} {
		if text := elsewhere(system); !strings.HasPrefix(text, "On "+name+" screens") || !strings.Contains(text, "docker run ") || !strings.Contains(text, "assay help machines") {
			t.Error(text)
		}
	}
}
