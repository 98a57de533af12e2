package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/benchmark/verdicts"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/measure"
	"assay/data/fatal"
	"assay/data/language"
	"assay/data/sampled"
)

// TestDoctorExplains every isolation and language, with a fix for missing ones, and without an error for
// optional ones.
func TestDoctorExplains(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("ASSAY_STORE", t.TempDir()+"/assay.db")
	t.Setenv("ASSAY_IMAGE", "")
	_, out, errs := runCLI(t, "doctor", "--json")
	var findings []measure.Finding
	if err := json.Unmarshal([]byte(out), &findings); err != nil {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	for _, name := range []string{judges.IsolationWarm, judges.IsolationStrict, judges.IsolationLandlock} {
		box, err := judges.OpenBox(t.Context(), judges.Isolation{Isolation: name})
		if err == nil {
			box.Close()
		}
		if i := slices.IndexFunc(findings, func(f measure.Finding) bool { return strings.TrimSpace(f.What) == name }); i >= 0 && findings[i].OK != (err == nil) {
			t.Errorf("%+v, and opening one: %v", findings[i], err)
		}
	}
	for _, want := range []string{"warm", "strict", "docker", "podman", "landlock", "python", "c++", "javascript"} {
		i := slices.IndexFunc(findings, func(f measure.Finding) bool { return strings.TrimSpace(f.What) == want })
		if i < 0 {
			t.Errorf("nothing is said of %s", want)
			continue
		}
		if f := findings[i]; !f.Optional || f.Says == "" {
			t.Errorf("%+v", f)
		}
	}
}

// TestDoctorTriesLanguages: a right and a wrong program is judged in each language that is installed; the others have a
// remedy.
func TestDoctorTriesLanguages(t *testing.T) {
	if !sampled.All {
		t.Skip("tries every language")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	code, out, errs := runCLI(t, "doctor", "--languages", "--json")
	var findings []measure.Finding
	if err := json.Unmarshal([]byte(out), &findings); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, errs)
	}
	if len(findings) != len(language.Names()) {
		t.Errorf("%d of %d languages", len(findings), len(language.Names()))
	}
	for _, f := range findings {
		l := f.Language
		switch {
		case l == nil && (f.OK || !f.Optional || f.Fix == ""):
			t.Errorf("%+v", f)
		case l != nil && (!f.OK || l.Right != verdicts.Accepted || l.Wrong != verdicts.WrongAnswer || l.FirstMS <= 0 || l.NextMS <= 0 || len(l.Isolated) == 0):
			t.Errorf("%+v %+v", f, l)
		}
	}
}

// TestEvalUnderLandlock: results record the requested isolation.
func TestEvalUnderLandlock(t *testing.T) {
	box, err := judges.OpenBox(t.Context(), judges.Isolation{Isolation: judges.IsolationLandlock})
	if err != nil {
		t.Skip(err)
	}
	box.Close()
	tasks, samples := evalFiles(t)
	out := t.TempDir()
	code, _, errs := runCLI(t, "eval", samples, "--tasks", tasks, "--isolation", "landlock", "--out", out)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	text := readFile(t, out+"/results.jsonl")
	if n := strings.Count(text, `"box":"landlock"`); n != 4 || strings.Count(text, `"accepted"`) != 3 {
		t.Errorf("%d of 4 results record the box: %s", n, text)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text := fatal.Read(t, path)
	return string(text)
}
