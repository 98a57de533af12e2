package viewer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/tui/diff"
	"assay/tui/frame"
)

// How failed test cases, and calls of the tester's own, are shown.

// equalFailures returns for each failed case the indexes of those that failed in the same way, as how tells.
func equalFailures(cases []verdicts.CaseResult, how func(verdicts.CaseResult) string) map[int][]int {
	groups, of := map[string][]int{}, map[int][]int{}
	for i, c := range cases {
		if c.Status != verdicts.Passed {
			key := string(c.Status) + " " + how(c)
			groups[key] = append(groups[key], i)
		}
	}
	for _, group := range groups {
		for _, i := range group {
			of[i] = group
		}
	}
	return of
}

// byMessage tells failures apart by their message or, where there is none, by the value that came; a case that was not
// run is like no other, since runs of those are folded as they stand.
func byMessage(c verdicts.CaseResult) string {
	switch {
	case c.Status == verdicts.NotRun:
		return fmt.Sprint(c.Index)
	case c.Message != "":
		return c.Message
	}
	return " " + c.Got
}

// failure describes the failure of a case in a line.
func failure(c verdicts.CaseResult) string {
	text, _, _ := strings.Cut(strings.TrimSpace(frame.Plain(c.Message)), "\n")
	switch {
	case text != "":
		return text
	case c.Status == verdicts.Status(verdicts.WrongAnswer) && c.Got != "":
		return "got " + frame.OneLine(c.Got)
	}
	return frame.OneLine(strings.ReplaceAll(string(c.Status), "_", " "))
}

// CaseText draws a test case: its call and, if it failed, the expected and actual values; whole
// shows them in full, however long they are, else cut tells whether something is left out.
func (m *reading) CaseText(c verdicts.CaseResult, width int, whole bool) (text string, cut bool) {
	glyph := m.Theme.Bad.Render("✗")
	switch c.Status {
	case verdicts.Passed:
		glyph = m.Theme.Good.Render("✓")
	case verdicts.NotRun:
		glyph = m.Theme.Dim.Render("–")
	}
	what := frame.Plain(c.Call)
	if c.Name != "" {
		what = frame.Plain(c.Name) + ": " + what
	}
	var b strings.Builder
	line := fmt.Sprintf("   %s %-6d %s", glyph, c.Index, oneLine(what))
	if long := frame.Width(line) > width; long && whole {
		fmt.Fprintf(&b, "   %s %-6d %s\n", glyph, c.Index, strings.TrimLeft(frame.Indent(frame.Wrap(what, width-14), "            "), " "))
	} else {
		b.WriteString(frame.Fit(line, frame.Size{Width: width, Height: 1})[0] + "\n")
		cut = long
	}
	if c.Status == verdicts.Passed || c.Status == verdicts.NotRun {
		return b.String(), cut
	}
	detail := func(text string) {
		if text != "" {
			b.WriteString(frame.Indent(frame.Wrap(text, width-14), "            ") + "\n")
		}
	}
	expected, got := frame.Plain(c.Expected), frame.Plain(c.Got)
	cut = cut || !whole && max(utf8.RuneCountInString(expected), utf8.RuneCountInString(got)) > briefLetters
	if expected != "" && got != "" && expected != got {
		at := differ(expected, got)
		wanted, came := m.value(expected, at, whole, m.Theme.Good), m.value(got, at, whole, m.Theme.Bad)
		if max(utf8.RuneCountInString(expected), utf8.RuneCountInString(got)) <= briefLetters {
			wanted, came = m.marked(expected, got)
		}
		detail("expected  " + wanted)
		detail("got       " + came)
		detail(m.differenceText(expected, got, at))
	} else {
		if got == "" && c.Status == verdicts.Status(verdicts.WrongAnswer) && m.Task() != nil && m.Task().Tests.Style == benchmark.Stdin {
			got = "(nothing was printed)"
		}
		for _, v := range [][2]string{{"expected  ", expected}, {"got       ", got}} {
			if v[1] != "" {
				detail(v[0] + m.value(v[1], -1, whole, m.Theme.Text))
			}
		}
	}
	if c.Status != verdicts.Status(verdicts.WrongAnswer) {
		detail(frame.OneLine(strings.ReplaceAll(string(c.Status), "_", " ")))
	}
	detail(frame.Plain(c.Message))
	return b.String(), cut
}

// Values longer than briefLetters are cut to the surroundings of the first difference.
const (
	briefLetters = 240
	contextSize  = 60
)

// differ returns the byte offset of the first character in which two texts differ.
func differ(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	for i > 0 && (i < len(a) && !utf8.RuneStart(a[i]) || i < len(b) && !utf8.RuneStart(b[i])) {
		i--
	}
	return i
}

// value draws a value with the character at byte offset at marked in a style, -1 for none. A long value is
// cut unless whole is set.
func (m *reading) value(text string, at int, whole bool, style lipgloss.Style) string {
	from, to := 0, len(text)
	if !whole && utf8.RuneCountInString(text) > briefLetters {
		from = max(0, at-contextSize)
		to = min(len(text), max(0, at)+2*contextSize)
		for from > 0 && !utf8.RuneStart(text[from]) {
			from--
		}
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	if at < 0 || at >= to {
		b.WriteString(text[from:to])
		if at >= 0 {
			b.WriteString(onGround(style, "end"))
		}
	} else {
		_, n := utf8.DecodeRuneInString(text[at:])
		b.WriteString(text[from:at])
		if letter := text[at : at+n]; letter == "\n" {
			b.WriteString(onGround(style, "⏎") + "\n")
		} else {
			b.WriteString(onGround(style, letter))
		}
		b.WriteString(text[at+n : to])
	}
	if to < len(text) {
		b.WriteString("…")
	}
	if to-from < len(text) {
		b.WriteString(m.Theme.Dim.Render(fmt.Sprintf(" (%s, %s shows)", characters(utf8.RuneCountInString(text)), m.unfolds())))
	}
	return b.String()
}

// marked draws two values with the words marked in which they differ, and the end of one that lacks some.
func (m *reading) marked(expected, got string) (wanted, came string) {
	var drawn [2]strings.Builder
	var marks [2]bool
	styles := [2]lipgloss.Style{m.Theme.Good, m.Theme.Bad}
	for _, run := range diff.Words(expected, got) {
		for i, own := range []diff.Kind{diff.Gone, diff.New} {
			switch run.Kind {
			case diff.Same:
				drawn[i].WriteString(run.Text)
			case own:
				marks[i] = true
				for n, line := range strings.Split(run.Text, "\n") {
					if n > 0 {
						drawn[i].WriteString(onGround(styles[i], "⏎") + "\n")
					}
					if line != "" {
						drawn[i].WriteString(onGround(styles[i], line))
					}
				}
			}
		}
	}
	for i := range drawn {
		if !marks[i] && strings.HasPrefix([]string{got, expected}[i], []string{expected, got}[i]) {
			drawn[i].WriteString(onGround(styles[i], "end"))
		}
	}
	return drawn[0].String(), drawn[1].String()
}

// onGround draws what differs on a ground of a style's colour.
func onGround(style lipgloss.Style, text string) string { return style.Reverse(true).Render(text) }

// differenceText tells where two values differ and how long they are, unless both are short.
func (m *reading) differenceText(expected, got string, at int) string {
	a, b := utf8.RuneCountInString(expected), utf8.RuneCountInString(got)
	if a <= 12 && b <= 12 {
		return ""
	}
	text := fmt.Sprintf("differs from character %s on", thousands(utf8.RuneCountInString(expected[:at])+1))
	if line := strings.Count(expected[:at], "\n"); line > 0 {
		text += fmt.Sprintf(", in line %s", thousands(line+1))
	}
	return m.Theme.Dim.Render(text + fmt.Sprintf("; %s expected, %s came", characters(a), thousands(b)))
}

// characters writes "1 character", "100,000 characters".
func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return thousands(n) + " characters"
}

// oneLine shows a text of several lines in one.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "⏎") }
