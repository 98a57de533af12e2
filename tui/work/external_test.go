package work

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session/engine/enginetest"
	"assay/tui/work/live"
)

// composing is a model at the first prompt of a session, with a draft.
func composing(t testing.TB, draft string) (*Model, *enginetest.Rig) {
	t.Helper()
	rig, err := enginetest.New(1)
	fatal.If(t, err)
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	fatal.If(t, rig.Engine.OpenTask(context.Background()))
	m := New(rig.Engine, live.Options{})
	m.follow()
	if draft != "" {
		carryOut(m.compose.insert(draft, "paste"))
	}
	m.follow()
	return m, rig
}

// The tester's own editor: what it saves is the draft; if it fails, the draft stays, and
// what it wrote is not lost.
func TestExternalEditor(t *testing.T) {
	for _, tc := range []struct{ name, script, draft, says string }{
		{"edits", `echo "the draft is longer now" >"$1"`, "the draft is longer now", ""},
		{"adds a line", `echo "another line" >>"$1"`, "the draft\nanother line", ""},
		{"changes nothing", `true`, "the draft", ""},
		{"writes what is no text", `printf 'a\033[31mb\r\nc' >"$1"`, "ab\nc", ""},
		{"fails", `exit 3`, "the draft", "the draft is as it was: exit status 3"},
		{"fails after writing", `echo other >"$1"; exit 3`, "the draft", "What was written there is in "},
		{"is killed", `echo other >"$1"; kill -9 $$`, "the draft", "What was written there is in "},
		{"removes the file", `rm "$1"`, "the draft", "the draft is as it was: open"},
		{"is not there", "", "the draft", "no such file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, rig := composing(t, "the draft")
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			editor := filepath.Join(t.TempDir(), "an editor.sh")
			if tc.script != "" {
				fatal.If(t, os.WriteFile(editor, []byte("#!/bin/sh\n"+tc.script+"\n"), 0o755))
			} else {
				editor = "/no/such/editor"
			}
			before := m.compose.area.Value() + "\n"
			file, err := live.NewEditFile("", "", "prompt.md", before)
			fatal.If(t, err)
			command := editor
			if strings.Contains(editor, " ") {
				command = `"` + editor + `"`
			}
			failed := live.EditorCommand(command, file.Path).Run()
			carryOut(m.compose.edited(visited(m.compose.of, file, before, failed).(editedMsg)))
			if m.compose.area.Value() != tc.draft || rig.Engine.State().Task().Draft() != tc.draft || !strings.Contains(m.Trouble, tc.says) || (m.Trouble == "") != (tc.says == "") {
				t.Errorf("the draft is %q, and it says %q", m.compose.area.Value(), m.Trouble)
			}
			if task := rig.Engine.State().Task(); tc.name == "edits" && (task.EditorBytes() != len(" is longer now") || task.InsertedBytes() != len("the draft")) {
				t.Errorf("%d bytes are the editor's, and %d inserted", task.EditorBytes(), task.InsertedBytes())
			}
			left, err := filepath.Glob(filepath.Join(dir, "assay-*"))
			if err != nil || (len(left) > 0) != strings.Contains(tc.script, "other >") {
				t.Errorf("left behind: %v, %v", left, err)
			}
			for _, path := range left {
				path = filepath.Join(path, "prompt.md")
				if text, _ := os.ReadFile(path); string(text) != "other\n" || !strings.Contains(m.Trouble, path) {
					t.Errorf("%s holds %q; it says %q", path, text, m.Trouble)
				}
			}
		})
	}
}

// What was edited for a draft that is none any more does not replace another one.
func TestExternalEditorTooLate(t *testing.T) {
	m, _ := composing(t, "the draft")
	carryOut(m.compose.edited(editedMsg{of: draftOf{task: 7}, text: "of another task"}))
	if got := m.compose.area.Value(); got != "the draft" {
		t.Errorf("the draft is %q", got)
	}
}

// Without a place for the file there is no editing elsewhere, and an error.
func TestDraftFileWithoutAPlace(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	if f, err := live.NewEditFile("", "", "prompt.md", "draft"); err == nil {
		t.Errorf("written to %s", f.Path)
	}
}

// What an editor saved when assay was killed is named when the session goes on, and the next edit begins with it.
func TestEditorOutlivesAssay(t *testing.T) {
	for _, tc := range []struct{ name, saved, says, next string }{
		{"saved", "from the editor\n", "{ctrl+o} opens it", "from the editor\n"},
		{"nothing written", "the draft\n", "", "the draft\n"},
		{"emptied", "", "", "the draft\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, rig := composing(t, "the draft")
			m.Opts.EditDir = t.TempDir()
			what := m.compose.of.String()
			file, err := live.NewEditFile(m.EditDir(), what, "prompt.md", "the draft\n")
			fatal.If(t, err)
			fatal.If(t, os.WriteFile(file.Path, []byte(tc.saved), 0o600))
			again := New(rig.Engine, m.Opts)
			again.Init()
			if want := again.Keyed(tc.says); !strings.Contains(again.Notice, want) || (again.Notice == "") != (tc.says == "") {
				t.Errorf("it says %q", again.Notice)
			}
			next, err := live.NewEditFile(again.EditDir(), what, "prompt.md", "the draft\n")
			fatal.If(t, err)
			if text, err := os.ReadFile(next.Path); err != nil || string(text) != tc.next {
				t.Errorf("the next edit begins with %q, %v", text, err)
			}
			carryOut(again.compose.edited(visited(again.compose.of, next, "the draft\n", nil).(editedMsg)))
			if got, want := rig.Engine.State().Task().Draft(), strings.TrimSuffix(tc.next, "\n"); got != want {
				t.Errorf("the draft is %q", got)
			}
			if f := live.UnsavedEdit(again.EditDir(), "*"); f.Path != "" {
				t.Errorf("left behind: %s", f.Path)
			}
		})
	}
}

// The editor reads the terminal itself.
func TestEditorReadsTheTerminal(t *testing.T) {
	for command, want := range map[string][]string{"vi -n": {"vi", "-n", "f.md"}, `"my vi" -n`: {"sh", "-c", `"my vi" -n "$1"`, "sh", "f.md"}} {
		if cmd := live.EditorCommand(command, "f.md"); cmd.Stdin != os.Stdin || !slices.Equal(cmd.Args, want) {
			t.Errorf("%q reads %v", cmd.Args, cmd.Stdin)
		}
	}
}
