package live

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"assay/data/program"
	"assay/tui/frame"
)

// EditFile is a file that the tester's own editor has open. Its folder holds nothing else, and has the hash of
// the text that the editor began with for its name: so what an editor saved when assay was killed is found again.
type EditFile struct{ Folder, Path string }

// NewEditFile writes a text to a file below dir, for the text named what and with a name by which editors know
// the language. It returns the file of an earlier edit if that was not taken over. dir "" is a new temporary one.
func NewEditFile(dir, what, name, text string) (f EditFile, err error) {
	if dir == "" {
		dir, err = os.MkdirTemp("", "assay-edit-")
		f.Folder = dir
	} else if f = UnsavedEdit(dir, what); f.Path == "" {
		f.Folder = filepath.Join(dir, what, hashOf(text))
	} else {
		return f, nil
	}
	f.Path = filepath.Join(f.Folder, filepath.FromSlash(name))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.Path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(f.Path, []byte(text), 0o600)
	}
	return f, err
}

// UnsavedEdit finds the file of an edit that was not taken over, for the text named what, "*" for any; none if its
// path is "".
func UnsavedEdit(dir, what string) EditFile {
	folders, _ := fs.Glob(os.DirFS(dir), what+"/*") // the pattern is right, and a directory that is not there has none
	for _, folder := range folders {
		f := EditFile{Folder: filepath.Join(dir, folder)}
		_ = filepath.WalkDir(f.Folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				f.Path = path
			}
			return err
		})
		text, err := os.ReadFile(f.Path)
		if err == nil && strings.TrimSpace(string(text)) != "" && hashOf(string(text)) != filepath.Base(folder) {
			return f
		}
	}
	return EditFile{}
}

// Read returns the text that the editor left. It deletes the file unless a failed editor saved a text in it, which
// is nowhere else.
func (f EditFile) Read(before string, failed error) (text string, holds bool, err error) {
	content, err := os.ReadFile(f.Path)
	text = string(content)
	holds = err == nil && text != before && strings.TrimSpace(text) != ""
	if err = errors.Join(failed, err); !holds {
		f.Remove()
	}
	return text, holds, err
}

// Remove deletes the file. One that could not be deleted is offered again, which does no harm.
func (f EditFile) Remove() { _ = os.RemoveAll(f.Folder) }

func hashOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16] }

// Editor returns the command of the tester's own editor: $VISUAL, $EDITOR, or the first common editor
// that is installed; "" if there is none.
func Editor(getenv func(string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command := strings.TrimSpace(getenv(name)); command != "" {
			return command
		}
	}
	for _, name := range []string{"editor", "nano", "vi"} {
		if _, err := program.Find(name); err == nil {
			return name
		}
	}
	return ""
}

// EditorName returns the name of the program that an editor's command starts, of Debian's "editor" that of what it stands
// for.
func EditorName(command string) string {
	name := strings.Fields(command)[0]
	if quote := command[:1]; strings.ContainsAny(quote, `'"`) {
		name, _, _ = strings.Cut(command[1:], quote)
	}
	if path, err := program.Find(name); err == nil && name == "editor" {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			name, _, _ = strings.Cut(filepath.Base(real), ".") // "vim.basic" is vim
		}
	}
	return frame.OneLine(filepath.Base(name))
}

// EditorCommand runs the editor on a file, by a shell if the command has shell quotes.
func EditorCommand(command, file string) *exec.Cmd {
	words := append(strings.Fields(command), file)
	if strings.ContainsAny(command, `'"\$`) {
		words = []string{"sh", "-c", command + ` "$1"`, "sh", file}
	}
	cmd := program.Command(context.Background(), program.Own, words[0], words[1:]...)
	cmd.Stdin = os.Stdin // the terminal, not the filtered input of the screens
	return cmd
}
