package picture

import (
	"bytes"
	"fmt"
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// Kitty's pictures are numbered. The number is written as the colour of the placeholder
// characters: one of the colours that every setting passes on as it is, so none of the
// first sixteen, which are written in another way, and none with red, green and blue,
// which are changed where a terminal has fewer colours.
const (
	FirstID = 16
	LastID  = 255
)

// Pixels of a cell that are sent, which is more than most cells have.
const cellWidth, cellHeight = 12, 24

// KittyUpload sends a picture, to be shown in so many cells wherever its placeholders
// stand. What had its number before is forgotten.
func KittyUpload(img image.Image, way Way, id, columns, rows int) (string, error) {
	b := img.Bounds()
	width, height := min(b.Dx(), columns*cellWidth), min(b.Dy(), rows*cellHeight)
	var out bytes.Buffer
	out.WriteString(KittyForget(way, id))
	err := kitty.EncodeGraphics(&out, scaled(img, width, height), &kitty.Options{
		Action: kitty.TransmitAndPut, Transmission: kitty.Direct, Format: kitty.PNG, Quiet: 2, Chunk: true,
		ID: id, Columns: columns, Rows: rows, VirtualPlacement: true,
		ChunkFormatter: way.wrap,
	})
	return out.String(), err
}

// KittyForget frees what the terminal keeps of a picture.
func KittyForget(way Way, id int) string {
	return way.wrap(fmt.Sprintf("\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", id))
}

// wrap makes a sequence one that reaches the terminal.
func (w Way) wrap(sequence string) string {
	if w == KittyTmux {
		return ansi.TmuxPassthrough(sequence)
	}
	return sequence
}

// KittyRows are the placeholders of a picture: each says its row and column, so that any
// part of them may be drawn anew.
func KittyRows(id, columns, rows int) []string {
	out := make([]string, rows)
	for y := range rows {
		var b strings.Builder
		fmt.Fprintf(&b, "\x1b[38;5;%dm", id)
		for x := range columns {
			b.WriteRune(kitty.Placeholder)
			b.WriteRune(kitty.Diacritic(y))
			b.WriteRune(kitty.Diacritic(x))
		}
		b.WriteString("\x1b[m")
		out[y] = b.String()
	}
	return out
}
