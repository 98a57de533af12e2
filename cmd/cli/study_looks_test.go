package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/cmd/cli/clitest"
)

// TestLooksOfAStudy: watch counts who ended and says which declared look is due, without results; the report compares the
// arms at a look that is due, and else not.
func TestLooksOfAStudy(t *testing.T) {
	dir := t.TempDir()
	path := frozenStudy(t, dir, 6, `model = "paste"`, `model = "rehearsal"`, "looks = [] ", "looks = [0.5, 1] ")
	file := filepath.Join(dir, "all.db")
	said := map[int][2]string{
		2: {"looks: 2 of 6 testers ended; none of 2 looks is due, the first is at 3", "No declared look is due."},
		3: {"looks: 3 of 6 testers ended; look 1 of 2 is due, the next is at 6", "Look 1 of 2 that the plan declared: 3 of 6 testers ended"},
		6: {"looks: 6 of 6 testers ended; the last look is due", "Look 2 of 2 that the plan declared: 6 of 6 testers ended"},
	}
	for tester := 1; tester <= 6; tester++ {
		mustKept(t, file, "study", "collect", "--study", path, clitest.Worked(t, dir, path, tester, "01J"))
		want, look := said[tester]
		if !look {
			continue
		}
		watched, _ := mustKept(t, file, "study", "watch", path)
		if !strings.Contains(watched, want[0]) || strings.Contains(watched, "satisfied") {
			t.Errorf("%d testers: watch says\n%s", tester, watched)
		}
		if report, _ := mustKept(t, file, "report", "--study", path); !strings.Contains(strings.Join(strings.Fields(report), " "), want[1]) {
			t.Errorf("%d testers: the report says\n%.3000s", tester, report)
		}
	}
	if planned, _ := mustKept(t, file, "study", "plan", path); !strings.Contains(planned, "looks at 0.5, 1 of the testers (obrien-fleming)") {
		t.Errorf("plan says\n%s", planned)
	}
}
