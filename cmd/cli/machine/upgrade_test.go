package machine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/clitest"
	"assay/cmd/cli/console"
	"assay/cmd/cli/machine"
	"assay/data/fatal"
	"assay/store"
)

var upgrade = clitest.Verbs(machine.NewUpgrade)

// olderStore makes a store that names an earlier format.
func olderStore(t *testing.T, path string) {
	t.Helper()
	s, err := store.Open(path, store.Options{})
	fatal.If(t, err)
	fatal.If(t, s.Close())
	text := fatal.Read(t, path)
	older := bytes.ReplaceAll(text, []byte("format4"), []byte("format3"))
	if bytes.Equal(text, older) {
		t.Fatal("the store does not name its format")
	}
	fatal.If(t, os.WriteFile(path, older, 0o600))
}

func TestUpgradeMigratesAndKeepsACopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	olderStore(t, path)
	before := fatal.Read(t, path)

	out, _ := upgrade.Must(t, path, "upgrade")
	if !strings.Contains(out, "will be migrated to format 4") || !bytes.Equal(fatal.Read(t, path), before) {
		t.Errorf("it does not tell, or changes something:\n%s", out)
	}
	out, _ = upgrade.Must(t, path, "upgrade", "--write", "--json")
	backup := path + ".v3.bak"
	if !strings.Contains(out, `"backup": "`+backup+`"`) {
		t.Errorf("the copy is not named:\n%s", out)
	}
	if has, current, err := store.Format(backup); has != 3 || current != 4 || err != nil {
		t.Errorf("the copy has format %d of %d: %v", has, current, err)
	}
	out, _ = upgrade.Must(t, path, "upgrade", "--write")
	if has, _, err := store.Format(path); has != 4 || err != nil || !strings.Contains(out, "4       read as it is") {
		t.Errorf("the second time: format %d, %v\n%s", has, err, out)
	}
	if out, _ = upgrade.Must(t, path, "upgrade", filepath.Dir(path)); strings.Contains(out, ".bak") {
		t.Errorf("copies are no files to upgrade:\n%s", out)
	}
}

func TestUpgradeNamesWhatItCannotRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"newer.json":         `{"name": "b", "tasks": [{"id": "a"}], "assay_benchmark": 99}`,
		"older/report.json":  `{"assay_report": 1}`,
		"ratings.jsonl":      `{"assay_overlap":1}` + "\n{",
		"settings.toml":      "theme = \"dark\"\n",
		"other.json":         `{"assay_of": "tea"}`,
		"broken.json":        `{"assay_report": `,
		"compressed.json.gz": "\x1f\x8bnothing",
	} {
		path := filepath.Join(dir, name)
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
	}
	out, errs, code := upgrade.On(t, "", "upgrade", dir)
	for _, want := range []string{"newer.json", "cannot be read: a newer assay wrote it, and this one knows format 1", "stays as it is; 'assay report --out' writes format", "ratings.jsonl"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if lines := strings.Count(out, "\n"); lines != 4 || code != console.ExitError || !strings.Contains(errs, "update this one") {
		t.Errorf("%d lines, exit code %d, %s\n%s", lines, code, errs, out)
	}
	for file, want := range map[string]string{"settings.toml": "has no version of assay's formats", "nothing": "no such file"} {
		if _, errs, code := upgrade.On(t, "", "upgrade", filepath.Join(dir, file)); code != console.ExitError || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d, %s", file, code, errs)
		}
	}
}
