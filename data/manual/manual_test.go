package manual

import (
	"regexp"
	"strings"
	"testing"
)

// Every file is a topic, opens with its title, and fits on a screen of 100 columns: tables,
// links and what programs print are as wide as they are.
func TestPages(t *testing.T) {
	files, err := pages.ReadDir(".")
	if err != nil || len(files) != len(topics) {
		t.Fatalf("%d files for %d topics: %v", len(files), len(topics), err)
	}
	for _, page := range Pages() {
		if page.Title == "" || !strings.HasPrefix(page.Text, "# "+page.Title+"\n\n") {
			t.Errorf("%s does not begin with a title", page.Topic)
		}
		fenced := false
		for i, line := range strings.Split(page.Text, "\n") {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if !fenced && len([]rune(line)) > 100 && line[0] != '|' {
				t.Errorf("%s:%d is wider than 100 columns", page.Topic, i+1)
			}
		}
		if fenced {
			t.Errorf("%s: a code block is not closed", page.Topic)
		}
		for _, topic := range regexp.MustCompile("`assay help ([a-z]+)`").FindAllStringSubmatch(page.Text, -1) {
			if _, err := Named(topic[1]); err != nil {
				t.Errorf("%s refers to `assay help %s`: %v", page.Topic, topic[1], err)
			}
		}
	}
	if _, err := Named("nothing"); err == nil {
		t.Error("a topic that is not there was found")
	}
}
