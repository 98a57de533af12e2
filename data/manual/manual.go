// Package manual owns the manual: one page of Markdown for each kind of reader and each paper, built into the program.
// `assay help TOPIC` shows a page, `assay help --man` makes man pages of all of them, and a forge shows the
// files as they are. A page starts with its title, explains in short sentences how to do something, and
// links to further pages. Tests in cmd/cli run its commands and compare its screens with the golden ones.
package manual

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed *.md
var pages embed.FS

// topics lists the pages in reading order.
var topics = []string{
	"tester", "study", "rating", "models", "tasks", "repositories", "difficulty", "numbers", "yeo", "su", "miah", "taskeval", "notes", "isolation", "languages", "machines", "files", "speed", "glossary",
}

// Page is one page of the manual.
type Page struct {
	Topic string // argument of `assay help`, and the name of the file
	Title string
	Text  string // Markdown, including the title
}

// Pages returns the manual in reading order. Callers share it and do not change it.
var Pages = sync.OnceValue(func() []Page {
	list := make([]Page, len(topics))
	for i, topic := range topics {
		text, err := pages.ReadFile(topic + ".md")
		if err != nil {
			panic(err) // the tests rule out a topic without a file
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		list[i] = Page{Topic: topic, Title: title, Text: string(text)}
	}
	return list
})

// Named returns the page of a topic.
func Named(topic string) (Page, error) {
	for _, page := range Pages() {
		if page.Topic == topic {
			return page, nil
		}
	}
	return Page{}, fmt.Errorf("no page %q: the manual has %s", topic, strings.Join(topics, ", "))
}
