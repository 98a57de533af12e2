package markdown

import "strings"

// fence is where a reader of Markdown stands: inside a fence of code, or outside.
type fence struct {
	open   bool
	top    bool // it is a block of its own, not part of a list item
	char   byte
	length int
	info   string
}

// step takes the next line and says whether it opens or closes a fence.
func (f *fence) step(line string) (opens, closes bool) {
	trimmed := strings.TrimLeft(line, " \t")
	n := 0
	for n < len(trimmed) && n < 64 && (trimmed[n] == '`' || trimmed[n] == '~') && trimmed[n] == trimmed[0] {
		n++
	}
	rest := trimmed[n:]
	if f.open {
		if n >= f.length && trimmed[0] == f.char && strings.TrimSpace(rest) == "" {
			f.open = false
			return false, true
		}
		return false, false
	}
	if n < 3 || trimmed[0] == '`' && strings.Contains(rest, "`") {
		return false, false
	}
	*f = fence{open: true, top: len(trimmed) == len(line), char: trimmed[0], length: n, info: strings.TrimSpace(rest)}
	return true, false
}

// segment is a stretch of Markdown: prose, or the code of one fence.
type segment struct {
	code bool
	info string
	text string
}

// split takes a text apart at its fences. Fences in lists stay with the prose around
// them.
func split(text string) []segment {
	var list []segment
	var f fence
	var now strings.Builder
	end := func(code bool) {
		if code || strings.TrimSpace(now.String()) != "" {
			list = append(list, segment{code, f.info, now.String()})
		}
		now.Reset()
	}
	for line := range strings.Lines(text) {
		top := f.top
		opens, closes := f.step(strings.TrimRight(line, "\r\n"))
		switch {
		case opens && f.top:
			end(false)
		case closes && top:
			end(true)
		default:
			now.WriteString(line)
		}
	}
	end(f.open && f.top)
	return list
}
