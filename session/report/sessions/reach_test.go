package sessions

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// reachable reports whether who listens to a page or has no mouse is told everything: what
// scrolls takes the keyboard and has a name, names are there, drawings have an
// alternative, headings leave out no level, and heads of tables say of what they are.
func reachable(t *testing.T, page []byte) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int{}
	var named []string // ids by which something is named
	level := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		a := map[string]string{}
		for _, at := range n.Attr {
			a[at.Key] = at.Val
		}
		if a["id"] != "" {
			ids[a["id"]]++
		}
		named = append(named, strings.Fields(a["aria-labelledby"])...)
		switch n.Data {
		case "html":
			if a["lang"] == "" {
				t.Error("the page does not say its language")
			}
		case "h1", "h2", "h3", "h4":
			next := int(n.Data[1] - '0')
			if next > level+1 {
				t.Errorf("a heading of level %d follows one of %d", next, level)
			}
			level = next
		case "th":
			if !slices.Contains([]string{"row", "col"}, a["scope"]) || n.FirstChild == nil {
				t.Errorf("a head of a table without scope or text: %v", a)
			}
		case "svg":
			if a["role"] != "img" || a["aria-labelledby"] == "" {
				t.Errorf("a drawing without an alternative: %v", a)
			}
		case "pre":
			if a["tabindex"] != "0" {
				t.Error("a passage that scrolls takes no keys")
			}
		case "div":
			if a["class"] == "scroll" && (a["tabindex"] != "0" || a["role"] != "region" || a["aria-labelledby"] == "") {
				t.Errorf("a part that scrolls without keys or name: %v", a)
			}
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have the id %q", n, id)
		}
	}
	for _, id := range named {
		if ids[id] == 0 {
			t.Errorf("something is named by %q, which is not there", id)
		}
	}
}
