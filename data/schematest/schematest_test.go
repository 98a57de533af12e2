package schematest

import (
	"reflect"
	"slices"
	"testing"
)

// before is what a verb prints.
type before struct {
	Name  string         `json:"name"` // as given
	Parts []partBefore   `json:"parts"`
	Sizes map[string]int `json:"sizes"`
	Why   string         `json:"why"`
}

// partBefore is a part.
type partBefore struct {
	Count int `json:"count"`
	Left  int `json:"left"`
}

// after is what it prints later.
type after struct {
	Added int                `json:"added"`
	Parts []partAfter        `json:"parts"`
	Sizes map[string]float64 `json:"sizes"`
	Why   string             `json:"why,omitempty"`
}

// partAfter is a part.
type partAfter struct {
	Count string `json:"count"`
}

func TestBreaks(t *testing.T) {
	g := New(t, nil)
	old, changed := g.Schema("urn:x:1", "x", reflect.TypeFor[before]()), g.Schema("urn:x:1", "x", reflect.TypeFor[after]())
	want := []string{".name is gone", ".parts[].count has another type", ".parts[].left is gone", ".sizes[] has another type", ".why can be absent"}
	if got := Breaks(t, old, changed); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Breaks(t, old, old); len(got) > 0 {
		t.Errorf("nothing changed: %q", got)
	}
	if got := Breaks(t, g.Schema("urn:x:1", "x", reflect.TypeFor[[]before]()), g.Schema("urn:x:1", "x", reflect.TypeFor[[]after]())); !slices.Equal(got, []string{
		"[].name is gone", "[].parts[].count has another type", "[].parts[].left is gone", "[].sizes[] has another type", "[].why can be absent"}) {
		t.Errorf("in a list: %q", got)
	}
}

func TestValidate(t *testing.T) {
	schema := New(t, nil).Schema("urn:x:1", "x", reflect.TypeFor[partBefore]())
	for document, valid := range map[string]bool{`{"count": 1, "left": 2}`: true, `{"count": 1}`: false, `{"count": "1", "left": 2}`: false, `{"count": 1, "left": 2, "more": 3}`: false} {
		if err := Validate(t, schema, document); (err == nil) != valid {
			t.Errorf("%s: %v", document, err)
		}
	}
}
