package judges

import (
	"reflect"
	"testing"

	"assay/scoring/quality"
)

func TestFindingsOfPreludesAreDropped(t *testing.T) {
	found := []quality.Finding{{Rule: "file", Line: 0}, {Rule: "first", Line: 1}, {Rule: "last of the prelude", Line: 3}, {Rule: "own", Line: 4}, {Rule: "own, too", Line: 9}}
	want := []quality.Finding{{Rule: "file", Line: 0}, {Rule: "own", Line: 1}, {Rule: "own, too", Line: 6}}
	if got := ownFindings(found, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := ownFindings(found, 0); !reflect.DeepEqual(got, found) {
		t.Errorf("without a prelude: %+v", got)
	}
}
