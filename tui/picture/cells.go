package picture

import (
	"fmt"
	"image"
	"strings"
)

// HalfBlocks draws a picture with two pixels in each cell: the upper one in the foreground
// colour, the lower one in the background colour.
func HalfBlocks(img image.Image, columns, rows int) []string {
	small := scaled(img, columns, 2*rows)
	out := make([]string, rows)
	for y := range rows {
		var b strings.Builder
		last := ""
		for x := range columns {
			up, down := small.RGBAAt(x, 2*y), small.RGBAAt(x, 2*y+1)
			sgr := fmt.Sprintf("\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm", up.R, up.G, up.B, down.R, down.G, down.B)
			if sgr != last {
				b.WriteString(sgr)
				last = sgr
			}
			b.WriteString("▀")
		}
		b.WriteString("\x1b[m")
		out[y] = b.String()
	}
	return out
}

// shades are characters ordered by how much of their cell they fill.
var shades = [...]rune{' ', '░', '▒', '▓', '█'}

// Greys draws a picture with characters alone, by brightness: text is light on a dark background.
// Errors are diffused to neighbours, as Floyd and Steinberg do.
func Greys(img image.Image, columns, rows int, dark bool) []string {
	small := scaled(img, columns, rows)
	light := make([]float64, columns*rows) // 0 to 4
	for y := range rows {
		for x := range columns {
			c := small.RGBAAt(x, y)
			l := (0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)) / 255
			if !dark {
				l = 1 - l
			}
			light[y*columns+x] = l * float64(len(shades)-1)
		}
	}
	out := make([]string, rows)
	for y := range rows {
		row := make([]rune, columns)
		for x := range columns {
			want := light[y*columns+x]
			got := max(0, min(len(shades)-1, int(want+0.5)))
			row[x] = shades[got]
			spread(light, columns, rows, x, y, want-float64(got))
		}
		out[y] = string(row)
	}
	return out
}

// spread distributes an error to later cells.
func spread(light []float64, columns, rows, x, y int, off float64) {
	for _, to := range [...]struct {
		dx, dy int
		share  float64
	}{{1, 0, 7}, {-1, 1, 3}, {0, 1, 5}, {1, 1, 1}} {
		if nx, ny := x+to.dx, y+to.dy; nx >= 0 && nx < columns && ny < rows {
			light[ny*columns+nx] += off * to.share / 16
		}
	}
}
