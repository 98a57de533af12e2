package tui_test

import (
	"bufio"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/image/font"

	"assay/data/fatal"
	"assay/tui/frame"
)

// The moving pictures of README: ASSAY_MOVING names the directory of the tapes, ASSAY_BIN that of the program. Each tape is
// played on a real terminal, tmux, and what that shows is drawn; see make pictures. A line of a tape is one of
//
//	type TEXT      as someone types it, a picture every few letters
//	press KEY...   keys as tmux names them, a picture after each
//	wait PATTERN   until the screen matches
//	see SECONDS    how long what is shown stands
//	hide, show     what is done between them is not shown
func TestMovingPictures(t *testing.T) {
	dir := os.Getenv("ASSAY_MOVING")
	if dir == "" {
		t.Skip("ASSAY_MOVING is not set")
	}
	tapes, err := filepath.Glob(filepath.Join(dir, "*.tape"))
	fatal.If(t, err)
	for _, tape := range tapes {
		t.Run(strings.TrimSuffix(filepath.Base(tape), ".tape"), func(t *testing.T) {
			r := record(t, tape)
			path := strings.TrimSuffix(tape, "tape") + "gif"
			file, err := os.Create(path)
			fatal.If(t, err)
			fatal.If(t, gif.EncodeAll(file, r.moving()))
			fatal.If(t, file.Close())
			if info, err := os.Stat(path); err != nil || info.Size() > 1_500_000 {
				t.Errorf("%s is too large: %d bytes, %v", path, info.Size(), err)
			}
		})
	}
}

// movingSize is the size of the terminal.
var movingSize = frame.Size{Width: 92, Height: 28}

// recorder plays a tape.
type recorder struct {
	t      *testing.T
	server string // of tmux
	face   font.Face
	hidden bool
	frames []*image.RGBA
	stands []int // how long each stands, in hundredths of a second
}

func record(t *testing.T, tape string) *recorder {
	t.Helper()
	r := &recorder{t: t, server: filepath.Join(t.TempDir(), "tmux"), face: pictureFace(t)}
	bin, err := filepath.Abs(os.Getenv("ASSAY_BIN"))
	fatal.If(t, err)
	home := t.TempDir()
	r.tmux("-f", "/dev/null", "new-session", "-d", "-c", home, "-x", fmt.Sprint(movingSize.Width), "-y", fmt.Sprint(movingSize.Height),
		"env", "-i", "HOME="+home, "PATH="+bin+":"+os.Getenv("PATH"), "TERM=tmux-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"ASSAY_REHEARSAL_PACE=90", "PS1=$ ", "bash", "--norc", "--noprofile")
	defer r.tmux("kill-server")
	r.tmux("set", "-g", "status", "off")
	r.tmux("set", "-as", "terminal-features", ",*:RGB")
	r.wait(`^\$$`)
	file, err := os.Open(tape)
	fatal.If(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		r.play(lines.Text())
	}
	fatal.If(t, lines.Err())
	return r
}

// play carries out a line of a tape.
func (r *recorder) play(line string) {
	does, rest, _ := strings.Cut(line, " ")
	switch does {
	case "", "#":
	case "hide", "show":
		r.hidden = does == "hide"
	case "type":
		for part := range slices.Chunk([]rune(rest), 6) {
			text := string(part)
			if rest, ends := strings.CutSuffix(text, ";"); ends {
				text = rest + `\;` // else it would end tmux's own command
			}
			r.tmux("send-keys", "-l", "--", text)
			r.shoot(15)
		}
	case "press":
		for _, key := range strings.Fields(rest) {
			r.tmux("send-keys", key)
			r.shoot(45)
		}
	case "wait":
		r.wait(rest)
	case "see":
		seconds, err := time.ParseDuration(rest + "s")
		fatal.If(r.t, err)
		r.shoot(int(seconds.Seconds() * 100))
	default:
		r.t.Fatalf("%q is no line of a tape", line)
	}
}

func (r *recorder) tmux(args ...string) string {
	out, err := exec.Command("tmux", append([]string{"-S", r.server}, args...)...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// settled returns the screen with its colours, when it is the same twice.
func (r *recorder) settled() string {
	last := ""
	for range 100 {
		now := r.tmux("capture-pane", "-e", "-p")
		if now == last {
			break
		}
		last = now
		<-time.After(60 * time.Millisecond)
	}
	return last
}

// wait records what moves until the screen matches.
func (r *recorder) wait(pattern string) {
	wanted := regexp.MustCompile("(?m)" + pattern)
	for end := time.Now().Add(2 * time.Minute); !wanted.MatchString(strings.TrimRight(r.tmux("capture-pane", "-p"), " \n")); {
		if time.Now().After(end) {
			r.t.Fatalf("the screen never matched %s; it shows\n%s", pattern, r.tmux("capture-pane", "-p"))
		}
		<-time.After(100 * time.Millisecond)
		if len(r.frames) > 0 {
			r.draw(r.tmux("capture-pane", "-e", "-p"), 12)
		}
	}
}

func (r *recorder) shoot(stands int) { r.draw(r.settled(), stands) }

// draw adds a picture, or lets the last one stand longer.
func (r *recorder) draw(screen string, stands int) {
	if r.hidden {
		return
	}
	picture := drawn(tea.NewView(strings.TrimSuffix(screen, "\n")), movingSize, true, r.face)
	if n := len(r.frames); n > 0 && slices.Equal(r.frames[n-1].Pix, picture.Pix) {
		r.stands[n-1] += stands
		return
	}
	r.frames, r.stands = append(r.frames, picture), append(r.stands, stands)
}

// mostColours is the number of colours of a picture: those that are seen most, each with the paper behind its letters.
const mostColours = 128

// moving returns the pictures with a palette each; after the first one they are what has changed.
func (r *recorder) moving() *gif.GIF {
	g := &gif.GIF{}
	for i, frame := range r.frames {
		changed := frame.Bounds()
		if i > 0 {
			changed = difference(r.frames[i-1], frame)
		}
		g.Image = append(g.Image, paletted(frame, changed))
		g.Delay = append(g.Delay, r.stands[i])
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	return g
}

// difference returns the smallest rectangle outside of which two pictures are the same.
func difference(a, b *image.RGBA) (changed image.Rectangle) {
	for y := range b.Rect.Dy() {
		from, to := y*b.Stride, (y+1)*b.Stride
		if slices.Equal(a.Pix[from:to], b.Pix[from:to]) {
			continue
		}
		for x := range b.Rect.Dx() {
			if at := from + 4*x; !slices.Equal(a.Pix[at:at+4], b.Pix[at:at+4]) {
				changed = changed.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return changed
}

// paletted returns a part of a picture in the colours that it has most.
func paletted(picture *image.RGBA, part image.Rectangle) *image.Paletted {
	counts := map[color.RGBA]int{}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			counts[picture.RGBAAt(x, y)]++
		}
	}
	colours := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range colours[:min(len(colours), mostColours)] {
		palette = append(palette, c)
	}
	out := image.NewPaletted(part, palette)
	draw.Draw(out, part, picture, part.Min, draw.Src)
	return out
}
