package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// Quick says what Build says, but for the intervals, and has the same figures; those
// that show no intervals are equal.
func TestQuickIsBuildWithoutIntervals(t *testing.T) {
	events := live(t)
	whole := mustBuild(t, events)
	quick, err := Quick(events)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := numbersOf(t, whole), numbersOf(t, quick); a != b {
		t.Errorf("Build says\n%s\nQuick says\n%s", a, b)
	}
	without := []string{"attempts", "success-by-attempt", "completion-time", "completion-time-ecdf", "attributes", "total-by-type-and-difficulty"}
	var drawn []string
	for _, m := range quick.Marks() {
		drawn = append(drawn, m.Name)
		i := slices.IndexFunc(whole.Figures(), func(d Drawing) bool { return d.Name == m.Name })
		if i < 0 || slices.Contains(without, m.Name) && !bytes.Equal(whole.Figures()[i].SVG(), m.Mark.Draw().SVG()) {
			t.Errorf("%s is another figure", m.Name)
		}
	}
	if len(drawn) != len(whole.Figures()) {
		t.Errorf("there are %v", drawn)
	}
}

// numbersOf is a report as JSON without what depends on resamples.
func numbersOf(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	var all any
	if err := json.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	delete(all.(map[string]any), "blind") // as screens are, of a study that is blind
	var strip func(v any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range []string{"interval", "method", "resamples"} {
				delete(v, key)
			}
			for _, inner := range v {
				strip(inner)
			}
		case []any:
			for _, inner := range v {
				strip(inner)
			}
		}
	}
	strip(all)
	return fmt.Sprint(all)
}
