package viewer

import (
	"strings"
	"testing"

	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/tui/frame"
)

func TestMeasuresFit(t *testing.T) {
	m := &reading{Theme: frame.NewTheme(true, true)}
	functions := []quality.Function{{Name: strings.Repeat("merge_", 10), Line: 1200, Cyclomatic: 16, Cognitive: 123}}
	for _, rating := range []scoring.Rating{"A", "E", scoring.NotAnalysed} {
		for _, width := range []int{60, 80, 120} {
			r := inspect.Report{Measures: quality.Measures{Valid: true, Cyclomatic: 16, Cognitive: 123, CommentLines: 10, CodeLines: 100, CommentRate: 9.1}, Reliability: rating, Security: rating}
			for _, line := range strings.Split(m.measureFacts(r, width)+m.functionTable(functions, width), "\n") {
				if frame.Width(line) > width {
					t.Errorf("%d columns of %d: %s", frame.Width(line), width, line)
				}
			}
		}
	}
}
