package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session/prompts"
)

// hostileName clears the screen, names the window, colours what follows and breaks the line.
const hostileName = "a\x1b[2J\x1b]0;owned\x07\u009b31m\x7f\r\nb"

// shownName is the printed form.
const shownName = "a31m b"

// drawsNothing returns the parts of a text that a terminal would interpret instead of printing.
func drawsNothing(t *testing.T, what, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0) {
			t.Errorf("%s holds %q:\n%q", what, r, text)
			return
		}
	}
}

// Ids of tasks and names of respondents are untrusted texts.
func TestDifficultyDrawsNamesOnly(t *testing.T) {
	dir := t.TempDir()
	var table strings.Builder
	table.WriteString("task,respondent,score,n\n")
	for task := range 8 {
		for who := range 4 {
			fmt.Fprintf(&table, "\"%s%d\",\"%s%d\",%.1f,10\n", hostileName, task, hostileName, who, float64((task*3+who*5)%10)/10)
		}
	}
	path := filepath.Join(dir, "responses.csv")
	fatal.If(t, os.WriteFile(path, []byte(table.String()), 0o644))
	code, out, errs := runCLI(t, "difficulty", path, "--subset", "3", "--method", "map")
	if code != 0 || strings.Count(out, shownName) < 12 {
		t.Errorf("exit %d: %s%s", code, errs, out)
	}
	drawsNothing(t, "the analysis", out)
	same := filepath.Join(dir, "same.csv") // warnings name tasks, too
	fatal.If(t, os.WriteFile(same, []byte("task,respondent,score\n\""+hostileName+"\",x,1\n\""+hostileName+"\",y,1\nc,x,0\nc,y,1\n"), 0o644))
	code, out, errs = runCLI(t, "difficulty", same)
	if code != 0 || !strings.Contains(out, "! "+shownName+": every response is the same") {
		t.Errorf("exit %d: %s%s", code, errs, out)
	}
	drawsNothing(t, "a warning", out)
}

// A missing R² is not printed.
func TestDifficultyWithoutFit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two.csv")
	fatal.If(t, os.WriteFile(path, []byte("task,m1,m2\na,1,0\nb,0,1\n"), 0o644))
	code, out, errs := runCLI(t, "difficulty", path, "--method", "taskeval")
	if code != 0 || !strings.Contains(out, "there is no R²") || strings.Contains(out, "correlate") || strings.Contains(out, "r² =") {
		t.Errorf("exit %d: %s%s", code, errs, out)
	}
}

// So are the names in a file of prompts.
func TestPromptsStatusDrawsNamesOnly(t *testing.T) {
	set, err := prompts.Create(filepath.Join(t.TempDir(), "prompts.jsonl"), prompts.Header{Benchmark: hostileName, Author: prompts.Author{Name: hostileName}, Reviewers: 2})
	fatal.If(t, err)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	fatal.If(t, set.Propose(prompts.Candidate{Task: hostileName, Basis: "x", Level: 1, Wording: 1, Text: "Write it.", At: at}))
	for who, verdict := range map[string]prompts.Verdict{"ann" + hostileName: prompts.Accept, "bob" + hostileName: prompts.Reject} {
		fatal.If(t, set.Decide(prompts.Decision{Task: hostileName, Level: 1, Wording: 1, Number: 1, Reviewer: who, Verdict: verdict, Reason: "x\x1b[2Jy", At: at}))
	}
	fatal.If(t, set.Close())
	code, out, errs := runCLI(t, "prompts", "status", set.Path)
	for _, want := range []string{"written by " + shownName + ";", "ann" + shownName + " has decided about 1", "  " + shownName + " context-1.1", "bob" + shownName + ": rejected: xy"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q: exit %d: %s%s", want, code, errs, out)
		}
	}
	drawsNothing(t, "the state of prompts", out)
}

// Whatever a benchmark says of itself, no verb writes what a terminal interprets, not even into a file.
func TestVerbsDrawNamesOnly(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("bwrap is missing")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	name := "x\x1b]52;c;aGk=\x07\x1b]8;;http://e\x1b\\\u009b2J\u202e\r\nforged\taccepted"
	said := strings.ReplaceAll(name, "\r\n", " ") // texts have lines
	task := map[string]any{"id": "a" + name, "title": name, "language": "python", "entry_point": "f", "description": said, "difficulty": "easy", "type": name, "category": name, "topic": name, "source": name,
		"constraints": []string{said}, "reference": "def f():\n    return 1\n", "tests": map[string]any{"style": "asserts", "asserts": []string{"assert f() == 1"}}}
	for _, field := range []string{"type", "topic", "source"} { // whichever are fields
		text, err := json.Marshal(map[string]any{"assay_benchmark": 1, "name": name, "tasks": []any{task}})
		fatal.If(t, err)
		if _, err := benchmark.Parse("b.json", text); err != nil {
			delete(task, field)
		}
	}
	text, err := json.Marshal(map[string]any{"assay_benchmark": 1, "name": name, "tasks": []any{task}})
	fatal.If(t, err)
	fatal.If(t, os.WriteFile("b.json", text, 0o644))
	sample, err := json.Marshal(map[string]any{"task_id": "a" + name, "solution": "def f():\n    return 1\n"})
	fatal.If(t, err)
	fatal.If(t, os.WriteFile("s.jsonl", sample, 0o644))
	for _, line := range []string{"eval s.jsonl --tasks b.json --out r --by category", "eval s.jsonl --tasks b.json --out r --by difficulty,category", "tasks list b.json", "tasks stats b.json", "tasks check b.json",
		"tasks show b.json nobody", "compare r r", "report r --tasks b.json --by category", "prompts show b.json", "difficulty r --tasks b.json", "tasks list b.json --filter category:" + name} {
		code, out, errs := runCLI(t, strings.Fields(line)...)
		drawsNothing(t, line, strings.ReplaceAll(out+errs, "\t", " "))
		if strings.Contains(out+errs, "\u202e") || strings.Contains("\n"+out+errs, "\nforged") {
			t.Errorf("%s turns the text around, or lets a name be a row\n%s%s", line, out, errs)
		}
		if strings.HasPrefix(line, "eval") && (code != 0 || !strings.Contains(out, "aGk=")) {
			t.Errorf("%s: exit code %d\n%s%s", line, code, out, errs)
		}
	}
}
