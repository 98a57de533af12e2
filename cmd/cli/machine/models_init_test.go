package machine

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/llm"
)

// TestMadeModelsFile: the file created by the screen has all examples, commented out, and never replaces
// another file; uncommented it equals the example.
func TestMadeModelsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay", "models.toml")
	fatal.If(t, CreateModelsFile(path))
	models, err := llm.LoadModels(path)
	if err != nil || len(models.List()) != 2 {
		t.Errorf("%d models, %v", len(models.List()), err)
	}
	if err := CreateModelsFile(path); err == nil {
		t.Error("a file was written over")
	}
	text := fatal.Read(t, path)
	_, rest, _ := strings.Cut(string(text), "\n\n")
	var awake strings.Builder
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "# ") && strings.TrimSpace(line) != "#" {
			line = line[1:]
		}
		awake.WriteString(line)
	}
	if awake.String() != llm.ExampleModels() {
		t.Errorf("awake it is\n%s", awake.String())
	}
}
