package tomlfile

import (
	"strings"
	"testing"

	"assay/data/fatal"
)

// A file that was saved on Windows is read as any other, and its errors name the same lines.
func TestFilesFromWindows(t *testing.T) {
	windows := func(text string) string { return "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n") }
	var got struct {
		Name string
		Arm  []struct{ Model string }
	}
	f, err := Decode("a.toml", windows("name = \"x\"\n[[arm]]\nmodel = \"\"\"\ny\n\"\"\"\n"), &got, "")
	fatal.If(t, err)
	if got.Name != "x" || len(got.Arm) != 1 || strings.TrimSpace(got.Arm[0].Model) != "y" || !f.Has("name") {
		t.Errorf("%+v", got)
	}
	for key, want := range map[string]string{"name": "a.toml:1: name: no", "arm.0.model": "a.toml:3: arm.0.model: no"} {
		if err := f.Wrong(key, "no"); err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Decode("a.toml", windows("name = 1\n"), &got, ""); err == nil || !strings.Contains(err.Error(), "a.toml:1: ") {
		t.Error(err)
	}
}
