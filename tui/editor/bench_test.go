package editor

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// prose is a text of n bytes in lines of 70 or, for one line, without any.
func prose(n int, oneLine bool) string {
	sentence := "Write a function that merges the shifts which overlap, and keep order.\n"
	if oneLine {
		sentence = strings.ReplaceAll(sentence, "\n", " ")
	}
	return strings.Repeat(sentence, n/len(sentence)+1)[:n]
}

func filled(text string) Editor {
	e := New()
	e.SetSize(79, 12)
	e.Insert(text, "paste")
	e.View()
	return e
}

// BenchmarkKeyEcho is a key and the drawing after it, in the middle of texts of
// different lengths. The length must not matter; of a text that is a single line it is
// the copying of that line.
func BenchmarkKeyEcho(b *testing.B) {
	for _, oneLine := range []bool{false, true} {
		for _, size := range []int{1 << 10, 100 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%dKB/oneLine=%v", size>>10, oneLine), func(b *testing.B) {
				e := filled(prose(size, oneLine))
				e.caret.at = e.text.snap(pos{len(e.text.lines) / 2, len(e.text.lines[len(e.text.lines)/2].text) / 2})
				e.moved()
				e.View()
				keys := []tea.KeyPressMsg{{Code: 'x', Text: "x"}, {Code: tea.KeyBackspace}}
				b.ReportAllocs()
				b.ResetTimer()
				for i := range b.N {
					e.Key(keys[i%2])
					e.View()
					e.Cursor()
				}
			})
		}
	}
}

// BenchmarkPaste is a paste with the drawing after it.
func BenchmarkPaste(b *testing.B) {
	for _, oneLine := range []bool{false, true} {
		for _, size := range []int{100 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%dKB/oneLine=%v", size>>10, oneLine), func(b *testing.B) {
				text := prose(size, oneLine)
				b.ReportAllocs()
				for range b.N {
					filled(text)
				}
			})
		}
	}
}

// BenchmarkSave is what a saving of the draft reads.
func BenchmarkSave(b *testing.B) {
	e := filled(prose(1<<20, false))
	key := tea.KeyPressMsg{Code: 'x', Text: "x"}
	for range b.N {
		e.Key(key)
		e.Changes()
	}
}
