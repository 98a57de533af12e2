package picture

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/sixel"
	"golang.org/x/term"
)

// Shown is a picture in place of the program's screen: drawn once, until the next key. It is a
// command for Bubble Tea to execute.
type Shown struct {
	sequence string
	caption  string
	in       io.Reader
	out      io.Writer
}

// NewShown prepares a picture for a terminal of that many columns and rows.
func NewShown(img image.Image, way Way, caption string, columns, rows int) (*Shown, error) {
	b := img.Bounds()
	c, r := Cells(b.Dx(), b.Dy(), columns, rows-2)
	small := scaled(img, min(b.Dx(), c*cellWidth), min(b.Dy(), r*cellHeight))
	var data bytes.Buffer
	s := &Shown{caption: caption}
	if way == Sixel {
		// Sixel draws pixel for pixel, so assume small cells of eight by sixteen.
		small = scaled(img, min(b.Dx(), c*8), min(b.Dy(), r*16))
		if err := (&sixel.Encoder{}).Encode(&data, small); err != nil {
			return nil, err
		}
		s.sequence = ansi.SixelGraphics(0, 1, 0, data.Bytes())
		return s, nil
	}
	if err := png.Encode(&data, small); err != nil {
		return nil, err
	}
	s.sequence = ansi.ITerm2(iterm2.File{
		Size: int64(data.Len()), Width: iterm2.Cells(c), Height: iterm2.Cells(r), Inline: true,
		Content: []byte(base64.StdEncoding.EncodeToString(data.Bytes())),
	})
	return s, nil
}

// SetStdin sets where the key is read from.
func (s *Shown) SetStdin(r io.Reader) { s.in = r }

// SetStdout sets where the picture is written to.
func (s *Shown) SetStdout(w io.Writer) { s.out = w }

// SetStderr ignores its argument.
func (s *Shown) SetStderr(io.Writer) {}

// Run draws the picture and waits for a key.
func (s *Shown) Run() error {
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		before, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return fmt.Errorf("the terminal cannot be read key by key: %w", err)
		}
		defer term.Restore(int(f.Fd()), before)
	}
	const altScreen, clear, noCursor, back = "\x1b[?1049h", "\x1b[2J\x1b[H", "\x1b[?25l", "\x1b[?25h\x1b[?1049l"
	caption := strings.ReplaceAll(s.caption, "\n", " ")
	if _, err := io.WriteString(s.out, altScreen+clear+noCursor+" "+caption+"\r\n"+s.sequence); err != nil {
		return err
	}
	defer io.WriteString(s.out, back)
	_, err := s.in.Read(make([]byte, 64))
	if err == io.EOF {
		err = nil
	}
	return err
}
