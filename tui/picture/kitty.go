package picture

import (
	"bytes"
	"fmt"
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// Kitty's pictures are numbered. The number is encoded in the colour of the placeholder
// characters. Only colours that every configuration passes on unchanged will do: not the first
// sixteen, which are encoded in another way, and no RGB colours, which are changed for terminals
// with fewer colours.
const (
	FirstID = 16
	LastID  = 255
)

// Pixels sent for each cell, more than most cells have.
const cellWidth, cellHeight = 12, 24

// KittyUpload sends a picture of a size in cells, which appears at its placeholders. It replaces
// an earlier picture of that number.
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

// KittyForget makes the terminal free a picture.
func KittyForget(way Way, id int) string {
	return way.wrap(fmt.Sprintf("\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", id))
}

// wrap makes a sequence pass through tmux.
func (w Way) wrap(sequence string) string {
	if w == KittyTmux {
		return ansi.TmuxPassthrough(sequence)
	}
	return sequence
}

// KittyRows returns the placeholders of a picture: each encodes its row and column, so that any
// part of them can be redrawn.
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
