package markdown

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"assay/tui/frame"
)

// verbatim lays out a text as it was written, with the number of each line. Parts are blocks of their own.
func verbatim(text string, look Look, parts []Part) Rendering {
	r := Rendering{dense: true}
	at, number := 0, 0
	for line := range strings.Lines(text) {
		end := at + len(line)
		of := 1 + slices.IndexFunc(parts, func(p Part) bool { return p.Start < end && p.End > at })
		at = end
		if last := len(r.Blocks) - 1; last < 0 || r.Blocks[last].Part != of {
			r.Blocks = append(r.Blocks, Block{Code: of > 0, Part: of})
		}
		number++
		block := &r.Blocks[len(r.Blocks)-1]
		block.Rows = append(block.Rows, numbered(plainTabs(strings.TrimRight(line, "\r\n")), number, look)...)
	}
	return r
}

// gutter is the number of columns before a line with its number.
const gutter = 9

// numbered lays out a line with its number; 0 is that of the line before.
func numbered(line string, number int, look Look) []string {
	room := max(8, look.Width-gutter)
	if look.Sideways {
		room = MostColumns
	}
	rows := frame.WrapCode(line, room)
	dim := look.theme().Dim
	for i, row := range rows {
		label := ""
		if i == 0 && number > 0 {
			label = fmt.Sprint(number)
		}
		rows[i] = strings.TrimRight(fmt.Sprintf("  %s %s", dim.Render(fmt.Sprintf("%4s ┊", label)), row), " ")
	}
	return rows
}

// numberOf matches the number before a line, which is no part of the text.
var numberOf = regexp.MustCompile(`^[ ▌]*\d* ┊`)
