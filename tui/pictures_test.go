package tui_test

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"assay/data/fatal"
	"assay/tui/frame"
)

// Screens as pictures: ASSAY_PICTURES names the directory, ASSAY_FONT the font's file, Go Mono if it is unset.
// go test ./tui -run Pictures/'(review|compose)' draws those screens alone; see make looks.
func TestPictures(t *testing.T) {
	dir := os.Getenv("ASSAY_PICTURES")
	if dir == "" {
		t.Skip("ASSAY_PICTURES is not set")
	}
	face := pictureFace(t)
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			d := screen.reach(t)
			for _, size := range []frame.Size{{Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 120, Height: 40}, {Width: 200, Height: 60}} {
				for i, look := range slices.Concat(looks, looks[:2]) { // the first two also in 16 colours
					profile, name := colorprofile.TrueColor, look.name
					if i >= len(looks) {
						profile, name = colorprofile.ANSI, name+"-16"
					}
					d.Send(tea.ColorProfileMsg{Profile: profile})
					d.Look(size, look.dark, look.color)
					path := filepath.Join(dir, fmt.Sprintf("%s-%dx%d-%s.png", screen.name, size.Width, size.Height, name))
					view, seen := d.App.View(), strings.Builder{}
					_, err := (&colorprofile.Writer{Forward: &seen, Profile: profile}).WriteString(view.Content)
					fatal.If(t, err)
					view.Content = seen.String()
					fatal.If(t, writePicture(path, view, size, look.dark, face))
				}
			}
		})
	}
}

// pictureFace is the font of pictures.
func pictureFace(t *testing.T) font.Face {
	t.Helper()
	ttf := gomono.TTF
	if path := os.Getenv("ASSAY_FONT"); path != "" {
		ttf = fatal.Read(t, path)
	}
	parsed, err := opentype.Parse(ttf)
	fatal.If(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 15, DPI: 72, Hinting: font.HintingFull})
	fatal.If(t, err)
	return face
}

func writePicture(path string, view tea.View, size frame.Size, dark bool, face font.Face) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return png.Encode(file, drawn(view, size, dark, face))
}

// drawn draws a screen cell by cell, with its cursor.
func drawn(view tea.View, size frame.Size, dark bool, face font.Face) *image.RGBA {
	paper, ink := color.Color(color.RGBA{0x16, 0x18, 0x1d, 0xff}), color.Color(color.RGBA{0xd7, 0xda, 0xe0, 0xff})
	if !dark {
		paper, ink = color.White, color.RGBA{0x24, 0x29, 0x2f, 0xff}
	}
	paper, ink = cmp.Or(view.BackgroundColor, paper), cmp.Or(view.ForegroundColor, ink)
	screen := uv.NewScreenBuffer(size.Width, size.Height)
	uv.NewStyledString(view.Content).Draw(screen, screen.Bounds())
	advance, _ := face.GlyphAdvance('m')
	wide, metrics := advance.Round(), face.Metrics()
	high := (metrics.Ascent + metrics.Descent).Ceil()
	picture := image.NewRGBA(image.Rect(0, 0, wide*size.Width, high*size.Height))
	for y := range size.Height {
		for x := range size.Width {
			cell := screen.CellAt(x, y)
			fg, bg := cmp.Or(cell.Style.Fg, ink), cmp.Or(cell.Style.Bg, paper)
			if at := view.Cursor; (at != nil && at.X == x && at.Y == y) != (cell.Style.Attrs&uv.AttrReverse != 0) {
				fg, bg = bg, fg
			}
			if cell.Style.Attrs&uv.AttrFaint != 0 {
				fg = between(fg, bg)
			}
			draw.Draw(picture, image.Rect(x*wide, y*high, (x+max(1, cell.Width))*wide, (y+1)*high), image.NewUniform(bg), image.Point{}, draw.Src)
			pen := font.Drawer{Dst: picture, Src: image.NewUniform(fg), Face: face, Dot: fixed.P(x*wide, y*high+metrics.Ascent.Ceil())}
			pen.DrawString(cell.Content)
			if cell.Style.Underline != 0 {
				draw.Draw(picture, image.Rect(x*wide, (y+1)*high-2, (x+max(1, cell.Width))*wide, (y+1)*high-1), image.NewUniform(fg), image.Point{}, draw.Src)
			}
			if cell.Style.Attrs&uv.AttrBold != 0 {
				pen.Dot = fixed.P(x*wide, y*high+metrics.Ascent.Ceil()).Add(fixed.Point26_6{X: 32})
				pen.DrawString(cell.Content)
			}
		}
	}
	return picture
}

// between returns the colour in the middle of two.
func between(a, b color.Color) color.Color {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	return color.RGBA{uint8((r + r2) >> 9), uint8((g + g2) >> 9), uint8((bl + b2) >> 9), 0xff}
}
