package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/clitest"
)

// TestBlindToTheEnd: reports on a blind study name no model until the study is unblinded, which requires a
// reason, is recorded, and is shown by watch. The sessions do not contain it.
func TestBlindToTheEnd(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 2, `model = "paste"`, `model = "rehearsal"`)
	file := filepath.Join(dir, "all.db")
	for tester := 1; tester <= 2; tester++ {
		mustKept(t, file, "study", "collect", "--study", path, clitest.Worked(t, dir, path, tester, "01J"))
	}
	mustKept(t, file, "report", "all", "--out", filepath.Join(dir, "before"))
	before, _ := mustKept(t, file, "report", "all")
	if strings.Contains(before, "rehearsal") || !strings.Contains(before, "Model A") || !strings.Contains(before, "Model B") {
		t.Errorf("the report is not blind:\n%.2000s", before)
	}
	if out, said, code := runKept(t, file, "study", "unblind", path); code != 2 || !strings.Contains(said, "--reason") || strings.Contains(out, "rehearsal") {
		t.Errorf("without a reason: %d, %s", code, said)
	}
	if named, _ := mustKept(t, file, "study", "unblind", path, "--reason", "all are finished"); !strings.Contains(named, "Model A  first   rehearsal") {
		t.Errorf("unblind says\n%s", named)
	}
	if watched, _ := mustKept(t, file, "study", "watch"); !strings.Contains(watched, "when 4 of 4 sessions were finished: all are finished") {
		t.Errorf("watch says\n%s", watched)
	}
	mustKept(t, file, "session", "rebuild")
	if after, _ := mustKept(t, file, "report", "all"); !strings.Contains(after, "rehearsal") || !strings.Contains(after, "when 4 of 4 sessions were finished: all are finished") {
		t.Error("the report is blind still, or does not tell that it was")
	}
	if forced, _ := mustKept(t, file, "report", "--blind", "all", "--out", filepath.Join(dir, "forced")); strings.Contains(forced, "rehearsal") {
		t.Error("--blind names a model")
	}
	mustKept(t, file, "report", "all", "--out", filepath.Join(dir, "after"))
	for _, written := range []string{"before", "forced", "after"} {
		if said, _ := mustKept(t, file, "report", "--check", filepath.Join(dir, written)); !strings.Contains(said, "ok    The report made anew") {
			t.Errorf("the report %s unblinding:\n%s", written, said)
		}
	}
	mustKept(t, file, "session", "verify")
	other := filepath.Join(dir, "other.db") // of another owner
	mustKept(t, other, "study", "collect", clitest.Worked(t, t.TempDir(), path, 1, "01J"))
	if report, _ := mustKept(t, other, "report", "all"); strings.Contains(report, "rehearsal") {
		t.Error("a store where nobody unblinded names the models")
	}
}
