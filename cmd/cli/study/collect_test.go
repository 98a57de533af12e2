package study

import (
	"strings"
	"testing"

	"assay/store"
)

// TestSharedPlaceIsTold: a place that two pseudonyms hold is collected with a warning, also
// where one of them was seated by name.
func TestSharedPlaceIsTold(t *testing.T) {
	c := &collector{places: map[place]string{}, names: map[place]string{}}
	if said := c.took(place{"h", 4, 1}, "A", "ann"); said != nil {
		t.Errorf("%q", said)
	}
	if said := c.took(place{"h", 4, 2}, "B", "ann"); said != nil {
		t.Errorf("the same person: %q", said)
	}
	said := c.took(place{"h", 4, 3}, "C", "ben")
	if len(said) != 1 || !strings.Contains(said[0], `the place of tester 4 is held by "ann" and by "ben"`) || !strings.Contains(said[0], "assay study withdraw C") {
		t.Errorf("%q", said)
	}
	if said := c.took(place{"h", 5, 1}, "D", "ben"); said != nil {
		t.Errorf("another place: %q", said)
	}
	if placeIn(&store.Place{Hash: "h", Tester: 4, Part: 1, Seated: true}) != (place{"h", 4, 1}) {
		t.Error("who is seated has another place than who joined with its code")
	}
}
