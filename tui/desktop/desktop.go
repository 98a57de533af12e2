package desktop

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"

	"assay/data/program"
)

// Desktop is what the machine offers; the zero value offers nothing.
type Desktop struct {
	copier []string // takes the clipboard's text on its standard input
	opener []string // opens the file that it is given
	tmux   bool     // what is sent to the terminal goes through tmux
}

// copiers are the programs that have the clipboard, each with the environment variable
// that says there is one for it.
var copiers = [...]struct {
	needs string
	argv  []string
}{
	{"WAYLAND_DISPLAY", []string{"wl-copy"}},
	{"DISPLAY", []string{"xclip", "-selection", "clipboard"}},
	{"DISPLAY", []string{"xsel", "--clipboard", "--input"}},
	{"", []string{"pbcopy"}},
	{"", []string{"clip.exe"}},
}

// openers open files, in the order in which they are looked for.
var openers = [...]struct {
	needs string
	argv  []string
}{
	{"WAYLAND_DISPLAY", []string{"xdg-open"}},
	{"DISPLAY", []string{"xdg-open"}},
	{"", []string{"wslview"}},
}

// Find looks for the programs in the PATH of the environment.
func Find(getenv func(string) string) Desktop { return find(getenv, runtime.GOOS) }

func find(getenv func(string) string, system string) Desktop {
	d := Desktop{tmux: getenv("TMUX") != ""}
	for _, c := range copiers {
		if d.copier == nil && (c.needs == "" || getenv(c.needs) != "") {
			d.copier = located(c.argv, getenv("PATH"))
		}
	}
	for _, o := range openers {
		if d.opener == nil && (o.needs == "" || getenv(o.needs) != "") {
			d.opener = located(o.argv, getenv("PATH"))
		}
	}
	if system == "darwin" { // elsewhere this is another program
		d.opener = located([]string{"open"}, getenv("PATH"))
	}
	return d
}

// located is argv with the path of its program, or nil where there is none.
func located(argv []string, path string) []string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, argv[0])
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return append([]string{file}, argv[1:]...)
		}
	}
	return nil
}

// Copier names the program that has the clipboard; "" where there is none.
func (d Desktop) Copier() string { return base(d.copier) }

// Opener names the program that opens files; "" where there is none.
func (d Desktop) Opener() string { return base(d.opener) }

func base(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	return filepath.Base(argv[0])
}

// InTmux reports whether what is sent to the terminal goes through tmux, which passes the
// clipboard on only where its option set-clipboard is "on".
func (d Desktop) InTmux() bool { return d.tmux }

// patience is how long a program may take that has the clipboard.
const patience = 2 * time.Second

// Copy gives text to the program that has the clipboard.
func (d Desktop) Copy(ctx context.Context, text string) error {
	if len(d.copier) == 0 {
		return errors.New("no program has the clipboard")
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := program.Command(ctx, program.Own, d.copier[0], d.copier[1:]...)
	cmd.Stdin = strings.NewReader(encoded(d.Copier(), text))
	cmd.WaitDelay = patience / 4 // it may leave a process behind that keeps the clipboard
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not take the text within %s", d.Copier(), patience)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("%s did not take the text: %w", d.Copier(), err)
	}
	return nil
}

// encoded returns a text as a program wants it: clip.exe takes anything but UTF-16 with its
// mark for the letters of an old code page.
func encoded(program, text string) string {
	if program != "clip.exe" {
		return text
	}
	out := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return string(out)
}

// OpenedMsg tells whether a file was handed to the program that opens it.
type OpenedMsg struct {
	Path string
	Err  error
}

// Open opens a file with the desktop's program for it and does not wait until that is
// closed.
func (d Desktop) Open(path string) error {
	if len(d.opener) == 0 {
		return errors.New("no program opens files here")
	}
	absolute, err := filepath.Abs(path) // so that no name is taken for an option
	if err != nil {
		return err
	}
	cmd := program.Command(context.Background(), program.Own, d.opener[0], append(append([]string{}, d.opener[1:]...), absolute)...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s did not start: %w", d.Opener(), err)
	}
	go cmd.Wait()
	return nil
}
