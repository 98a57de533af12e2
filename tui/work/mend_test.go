package work

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/data/fatal"
	"assay/session"
	"assay/session/engine/enginetest"
	"assay/tui/work/live"
)

// ratingModel is a model at the rating of an answer to a repository task.
func ratingModel(t testing.TB) (*Model, *enginetest.Rig) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	rig, err := enginetest.New(1, func(c *session.Choice) { c.Benchmark = enginetest.Repositories(1) })
	fatal.If(t, err)
	t.Cleanup(func() { _ = rig.Engine.Close(context.Background()) })
	rig.Client.Say(enginetest.BreakingFiles)
	fatal.If(t, rig.Engine.OpenTask(ctx))
	fatal.If(t, rig.Engine.Send(ctx, "Correct it."))
	fatal.If(t, rig.Until(ctx, func(s *session.State) bool { return s.Attempt().Tree != nil }))
	fatal.If(t, rig.Engine.Judge(ctx, session.DecideGiveUp, false))
	m := New(rig.Engine, live.Options{})
	m.follow()
	return m, rig
}

// A file of the final answer in the tester's own editor: what it saves is recorded apart from the attempt; if it
// fails, nothing is recorded, and what it wrote is not lost.
func TestMendFile(t *testing.T) {
	for _, tc := range []struct {
		name, script, says string
		mends, left        int
	}{
		{"edits", `echo "HELLO = 'hello'" >"$1"`, "", 1, 0},
		{"changes nothing", `true`, "", 0, 0},
		{"fails", `exit 3`, "was not edited: exit status 3", 0, 0},
		{"fails after writing", `echo other >"$1"; exit 3`, "what was written is in ", 0, 1},
		{"removes the file", `rm "$1"`, "was not edited: open", 0, 0},
		{"writes what is no text", `printf 'a\000b' >"$1"`, "it is no text", 0, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, rig := ratingModel(t)
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			editor := filepath.Join(t.TempDir(), "editor.sh")
			fatal.If(t, os.WriteFile(editor, []byte("#!/bin/sh\n"+tc.script+"\n"), 0o755))
			m.Opts.Editor = editor
			carryOut(m.files.showFiles())
			m.files.filter.SetValue("words")
			m.files.open = "shop/words.py"
			asked, ok := m.rating.mendFile()().(mendMsg)
			if !ok || asked.before != "HELLO = 'hi'\n" {
				t.Fatalf("%+v", asked)
			}
			done := asked.mendedMsg
			done.text, done.holds, done.err = done.file.Read(done.before, live.EditorCommand(asked.command, done.file.Path).Run())
			if cmd := m.rating.mended(done); cmd != nil {
				m.Update(cmd())
			}
			if n := len(rig.Engine.State().Task().Mends); n != tc.mends || !strings.Contains(m.Trouble, tc.says) || (m.Trouble == "") != (tc.says == "") {
				t.Errorf("%d edits, and it says %q", n, m.Trouble)
			}
			left, err := filepath.Glob(filepath.Join(dir, "assay-edit-*"))
			if err != nil || len(left) != tc.left {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// What was edited for an answer that is rated no more is kept in its file.
func TestMendTooLate(t *testing.T) {
	m, rig := ratingModel(t)
	m.rating.mended(mendedMsg{of: treeVersion{task: 7}, path: "a", file: live.EditFile{Path: "/tmp/a"}, before: "a", text: "b", holds: true})
	if len(rig.Engine.State().Task().Mends) != 0 || !strings.Contains(m.Trouble, "/tmp/a") {
		t.Errorf("it says %q", m.Trouble)
	}
}

// An edit of a file that an editor saved when assay was killed is named, and goes on with what was written.
func TestMendOutlivesAssay(t *testing.T) {
	m, rig := ratingModel(t)
	m.Opts.EditDir = t.TempDir()
	m.Opts.Editor = "true"
	carryOut(m.files.showFiles())
	m.files.open = "shop/words.py"
	asked := m.rating.mendFile()().(mendMsg)
	fatal.If(t, os.WriteFile(asked.file.Path, []byte("HELLO = 'hello'\n"), 0o600))
	again := New(rig.Engine, m.Opts)
	again.Init()
	if !strings.Contains(again.Notice, "shop/words.py") {
		t.Errorf("it says %q", again.Notice)
	}
	carryOut(again.files.showFiles())
	again.files.open = "shop/words.py"
	done := again.rating.mendFile()().(mendMsg).mendedMsg
	done.text, done.holds, done.err = done.file.Read(done.before, nil)
	again.Update(again.rating.mended(done)())
	if mends := rig.Engine.State().Task().Mends; len(mends) != 1 || live.UnsavedEdit(again.EditDir(), "*").Path != "" {
		t.Errorf("%+v", mends)
	}
}
