package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/charmbracelet/x/ansi/sixel"

	"assay/data/fatal"
)

// quarters is a picture of four colours: red, green, blue and transparent.
func quarters(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			switch {
			case y < height/2 && x < width/2:
				img.Set(x, y, color.NRGBA{255, 0, 0, 255})
			case y < height/2:
				img.Set(x, y, color.NRGBA{0, 255, 0, 255})
			case x < width/2:
				img.Set(x, y, color.NRGBA{0, 0, 255, 255})
			}
		}
	}
	return img
}

func encoded(t *testing.T, encode func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	fatal.If(t, encode(&b))
	return b.Bytes()
}

func TestDecode(t *testing.T) {
	img := quarters(40, 20)
	for name, data := range map[string][]byte{
		"png":  encoded(t, func(w io.Writer) error { return png.Encode(w, img) }),
		"jpeg": encoded(t, func(w io.Writer) error { return jpeg.Encode(w, img, nil) }),
		"gif":  encoded(t, func(w io.Writer) error { return gif.Encode(w, img, nil) }),
	} {
		got, err := Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Bounds() != img.Bounds() {
			t.Errorf("%s: %v", name, got.Bounds())
		}
		if r, g, b, _ := got.At(5, 5).RGBA(); r < 0xD000 || g > 0x3000 || b > 0x3000 {
			t.Errorf("%s: the first pixels are %x %x %x, not red", name, r, g, b)
		}
	}
}

// claims is a PNG that says it is as large as that.
func claims(width, height uint32) []byte {
	head := []byte("IHDR\x00\x00\x00\x00\x00\x00\x00\x00\x08\x02\x00\x00\x00")
	binary.BigEndian.PutUint32(head[4:], width)
	binary.BigEndian.PutUint32(head[8:], height)
	data := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(head))
}

func TestDecodeRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		data []byte
		why  string
	}{
		"too many pixels":  {claims(100_000, 100_000), "100000×100000 pixels"},
		"one row too long": {claims(1<<31-1, 1), "pixels"},
		"cut off":          {claims(10, 10), ""},
		"too long":         {make([]byte, MaxBytes+1), "bytes"},
		"no picture":       {[]byte("hello"), "unknown format"},
		"empty":            {nil, ""},
	} {
		if _, err := Decode(tc.data); err == nil || !strings.Contains(err.Error(), tc.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	var b bytes.Buffer
	_ = png.Encode(&b, quarters(8, 8))
	f.Add(b.Bytes())
	f.Add(claims(3, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := Decode(data)
		if err == nil && img.Bounds().Dx()*img.Bounds().Dy() > MaxPixels {
			t.Fatal("more pixels than allowed")
		}
	})
}

func TestCells(t *testing.T) {
	for _, tc := range []struct{ width, height, columns, rows, c, r int }{
		{640, 480, 78, 18, 48, 18}, // the height decides
		{640, 480, 40, 30, 40, 15}, // the width does
		{16, 16, 78, 18, 2, 1},     // not larger than it is
		{10_000, 1, 78, 18, 78, 1}, // never less than a row
		{1, 10_000, 78, 18, 1, 18}, // nor than a column
	} {
		if c, r := Cells(tc.width, tc.height, tc.columns, tc.rows); c != tc.c || r != tc.r {
			t.Errorf("%d×%d in %d×%d takes %d×%d, want %d×%d", tc.width, tc.height, tc.columns, tc.rows, c, r, tc.c, tc.r)
		}
	}
}

var sgr = regexp.MustCompile(`38;2;(\d+);(\d+);(\d+);48;2;(\d+);(\d+);(\d+)m((?:▀)+)`)

// The cells, read back, have the picture's colours: transparent is white.
func TestHalfBlocks(t *testing.T) {
	rows := HalfBlocks(quarters(80, 80), 8, 4)
	want := func(x, y int) color.RGBA {
		return [2][2]color.RGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {255, 255, 255, 255}}}[y/4][x/4]
	}
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	for y, row := range rows {
		x := 0
		for _, m := range sgr.FindAllStringSubmatch(row, -1) {
			var v [6]uint8
			for i := range v {
				fmt.Sscan(m[i+1], &v[i])
			}
			for range strings.Count(m[7], "▀") {
				if got := (color.RGBA{v[0], v[1], v[2], 255}); !near(got, want(x, 2*y)) {
					t.Errorf("pixel %d,%d is %v, want %v", x, 2*y, got, want(x, 2*y))
				}
				if got := (color.RGBA{v[3], v[4], v[5], 255}); !near(got, want(x, 2*y+1)) {
					t.Errorf("pixel %d,%d is %v, want %v", x, 2*y+1, got, want(x, 2*y+1))
				}
				x++
			}
		}
		if x != 8 {
			t.Errorf("row %d has %d cells", y, x)
		}
	}
}

// near reports whether two colours are the same but for what neighbours shine through.
func near(a, b color.RGBA) bool {
	off := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 60 }
	return off(a.R, b.R) && off(a.G, b.G) && off(a.B, b.B)
}

// Without colour the letters are as light as the picture, on either background.
func TestGreys(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 200, 200))
	for i := range grey.Pix {
		grey.Pix[i] = uint8(i % 200 * 255 / 199) // from black at the left to white at the right
	}
	for _, dark := range []bool{true, false} {
		rows := Greys(grey, 40, 20, dark)
		light := func(from, to int) float64 {
			sum := 0
			for _, row := range rows {
				for _, r := range []rune(row)[from:to] {
					for i, s := range shades {
						if r == s {
							sum += i
						}
					}
				}
			}
			return float64(sum) / float64(20*(to-from)*4)
		}
		left, middle, right := light(0, 4), light(18, 22), light(36, 40)
		if !dark {
			left, right = right, left
		}
		if left > 0.15 || right < 0.85 || middle < 0.4 || middle > 0.6 {
			t.Errorf("dark %v: %.2f, %.2f, %.2f", dark, left, middle, right)
		}
	}
}

var chunk = regexp.MustCompile(`\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\`)

// What is sent to kitty is the picture, in chunks of legal size, for placeholders.
func TestKitty(t *testing.T) {
	upload, err := KittyUpload(quarters(600, 600), Kitty, 77, 20, 10)
	fatal.If(t, err)
	var payload strings.Builder
	var first string
	for i, m := range chunk.FindAllStringSubmatch(upload, -1) {
		if i == 1 {
			first = m[1]
		}
		if len(m[2]) > kitty.MaxChunkSize {
			t.Errorf("a chunk of %d bytes", len(m[2]))
		}
		payload.WriteString(m[2])
	}
	for _, want := range []string{"a=T", "U=1", "i=77", "c=20", "r=10", "f=100", "q=2"} {
		if !strings.Contains(","+first+",", ","+want+",") {
			t.Errorf("%q has no %s", first, want)
		}
	}
	data, err := base64.StdEncoding.DecodeString(payload.String())
	fatal.If(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	fatal.If(t, err)
	if b := img.Bounds(); b.Dx() != 240 || b.Dy() != 240 {
		t.Errorf("%v is sent", b)
	}
	if r, g, _, _ := img.At(10, 10).RGBA(); r != 0xFFFF || g != 0 {
		t.Error("the picture is another")
	}
	wrapped, err := KittyUpload(quarters(600, 600), KittyTmux, 77, 20, 10)
	fatal.If(t, err)
	inner := regexp.MustCompile(`(?s)\x1bPtmux;(.*?[^\x1b])\x1b\\`).ReplaceAllStringFunc(wrapped, func(s string) string {
		s = strings.TrimSuffix(strings.TrimPrefix(s, "\x1bPtmux;"), "\x1b\\")
		return strings.ReplaceAll(s, "\x1b\x1b", "\x1b")
	})
	if inner != upload {
		t.Errorf("through tmux another picture comes: %.200q", wrapped)
	}
	rows := KittyRows(77, 20, 10)
	for y, row := range rows {
		if w := ansi.StringWidth(row); w != 20 {
			t.Errorf("row %d is %d columns wide", y, w)
		}
		letters := []rune(ansi.Strip(row))
		for x := range 20 {
			if letters[3*x] != kitty.Placeholder || letters[3*x+1] != kitty.Diacritic(y) || letters[3*x+2] != kitty.Diacritic(x) {
				t.Fatalf("cell %d,%d is %U", x, y, letters[3*x:3*x+3])
			}
		}
	}
}

func TestShown(t *testing.T) {
	run := func(way Way) string {
		s, err := NewShown(quarters(600, 600), way, "plot.png", 60, 20)
		fatal.If(t, err)
		var out bytes.Buffer
		s.SetStdin(strings.NewReader("q"))
		s.SetStdout(&out)
		fatal.If(t, s.Run())
		if !strings.HasPrefix(out.String(), "\x1b[?1049h") || !strings.HasSuffix(out.String(), "\x1b[?1049l") {
			t.Error("the terminal is not left as it was")
		}
		return out.String()
	}
	check := func(name string, img image.Image) {
		b := img.Bounds()
		at := func(x, y int) color.RGBA {
			r, g, bl, _ := img.At(x, y).RGBA()
			return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(bl >> 8), 255}
		}
		if got := at(b.Dx()/4, b.Dy()/4); got.R < 240 || got.G > 15 {
			t.Errorf("%s: the first quarter is %v", name, got)
		}
		if got := at(b.Dx()/4, b.Dy()*3/4); got.B < 240 || got.G > 15 {
			t.Errorf("%s: the third quarter is %v", name, got)
		}
	}
	body := run(Sixel)
	body = body[strings.Index(body, "\x1bP"):]
	body = body[strings.IndexByte(body, 'q')+1:]
	img, err := (&sixel.Decoder{}).Decode(strings.NewReader(body[:strings.Index(body, "\x1b\\")]))
	fatal.If(t, err)
	check("sixel", img)

	body = run(ITerm2)
	body = body[strings.Index(body, "\x1b]1337;File="):]
	args, content, _ := strings.Cut(body, ":")
	if !strings.Contains(args, "inline=1") || !strings.Contains(args, "width=36") || !strings.Contains(args, "height=18") {
		t.Error(args)
	}
	data, err := base64.StdEncoding.DecodeString(content[:strings.IndexByte(content, 7)])
	fatal.If(t, err)
	if img, err = png.Decode(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	check("iTerm2", img)
}

func TestDetect(t *testing.T) {
	for _, tc := range []struct {
		env  map[string]string
		want Way
	}{
		{map[string]string{"TERM": "xterm-256color"}, Blocks},
		{map[string]string{"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, Kitty},
		{map[string]string{"TERM": "xterm-ghostty"}, Kitty},
		{map[string]string{"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "TMUX": "/tmp/x"}, Blocks},
		{map[string]string{"TERM_PROGRAM": "iTerm.app"}, ITerm2},
		{map[string]string{"LC_TERMINAL": "iTerm2", "TERM": "xterm-256color"}, ITerm2},
		{map[string]string{"TERM_PROGRAM": "WezTerm"}, ITerm2},
		{map[string]string{"TERM": "foot"}, Sixel},
		{map[string]string{"WT_SESSION": "1"}, Blocks},
		{map[string]string{"TERM": "foot", "ASSAY_PICTURES": "blocks"}, Blocks},
		{map[string]string{"TERM": "foot", "WISH": "blocks"}, Blocks},
		{map[string]string{"TERM": "foot", "WISH": "kitty", "ASSAY_PICTURES": "sixel"}, Sixel},
		{map[string]string{"TERM": "foot", "WISH": "auto"}, Sixel},
		{map[string]string{"TMUX": "/tmp/x", "ASSAY_PICTURES": "kitty"}, KittyTmux},
		{map[string]string{"TERM": "xterm-kitty", "ASSAY_PICTURES": "sixel"}, Sixel},
	} {
		if got := Detect(func(name string) string { return tc.env[name] }, tc.env["WISH"]); got != tc.want {
			t.Errorf("%v: %s, want %s", tc.env, got.Name(), tc.want.Name())
		}
	}
}

// Name returns the method's name on the screen.
func (w Way) Name() string {
	return [...]string{"half blocks", "kitty's graphics", "iTerm2's pictures", "sixel", "kitty's graphics through tmux"}[w]
}
