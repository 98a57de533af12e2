package benchmark

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Metadata lists a task's metadata for display, as pairs of name and text, without missing values.
func (t *Task) Metadata() [][2]string {
	var rows [][2]string
	add := func(name, text string) {
		if text != "" {
			rows = append(rows, [2]string{name, text})
		}
	}
	add("id", t.ID)
	add("language", t.Language)
	add("difficulty", string(t.Difficulty))
	add("type", t.Type)
	add("category", t.Category)
	add("topics", strings.Join(t.Topics, ", "))
	add("published", string(t.Published))
	if t.HumanPassRate != nil {
		add("human pass rate", strconv.FormatFloat(*t.HumanPassRate, 'f', -1, 64))
	}
	source := t.Source.Title
	if t.Source.Chapter != "" {
		source += ", " + t.Source.Chapter
	}
	if t.Source.Year > 0 {
		source += fmt.Sprintf(" (%d)", t.Source.Year)
	}
	add("source", source)
	add("licence", t.Source.Licence)
	add("url", t.Source.URL)
	tests := "none: judged by the tester alone"
	if r := t.Repository; r != nil {
		add("repository", strings.TrimSpace(r.Name+" "+r.Version))
		tests = fmt.Sprintf("%d that fail before the change, and %d that pass", len(r.FailToPass), len(r.PassToPass))
		if r.Directory != nil {
			tests = "those of " + r.Directory.Script
		}
	} else if n := t.Tests.Count(); n > 0 {
		tests = fmt.Sprintf("%d of style %s", n, t.Tests.Style)
	} else if t.Tests.Style != NoTests {
		tests = "of style " + string(t.Tests.Style)
	}
	add("tests", tests)
	add("outputs", strings.Join(t.Outputs, ", "))
	add("library", t.Library)
	add("standard", t.Standard)
	return rows
}

// TestsText renders a task's tests in Markdown for display, "" for none: a list of the calls of the entry
// point, or the runs of the program, with expected results; or the source. Those of a repository are named.
func (t *Task) TestsText() string {
	if t.Repository == nil {
		return t.Tests.text(t)
	}
	var b strings.Builder
	for _, list := range []struct {
		head string
		ids  []string
	}{{"Tests that must pass with the change (FAIL_TO_PASS)", t.Repository.FailToPass}, {"Tests that must still pass (PASS_TO_PASS)", t.Repository.PassToPass}} {
		if len(list.ids) > 0 {
			fmt.Fprintf(&b, "%s:\n\n- `%s`\n\n", list.head, strings.Join(list.ids, "`\n- `"))
		}
	}
	if t.Repository.TestPatch != "" {
		fmt.Fprintf(&b, "The tests' own changes, applied after the answer:\n\n```diff\n%s\n```\n", strings.TrimRight(t.Repository.TestPatch, "\n"))
	}
	return b.String()
}

// ReferenceLanguage returns the language of the reference solution: that of a repository is a diff.
func (t *Task) ReferenceLanguage() string {
	if t.Repository != nil && t.Repository.Directory == nil {
		return "diff"
	}
	return t.Language
}

func (t Tests) text(task *Task) string {
	var b strings.Builder
	source := func(title, language, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s:\n\n```%s\n%s\n```\n\n", title, language, strings.TrimRight(text, "\n"))
		}
	}
	for _, c := range t.Cases {
		b.WriteString("- `" + c.Call(task.EntryPoint) + "`")
		switch {
		case c.Raises != "":
			b.WriteString(" raises `" + c.Raises + "`")
		default:
			b.WriteString(" → `" + compact(c.Expected) + "`")
		}
		if c.Name != "" {
			b.WriteString(" (" + c.Name + ")")
		}
		if c.Compare != "" && c.Compare != Exact {
			b.WriteString(", compared as " + string(c.Compare))
		}
		b.WriteString("\n")
	}
	for _, r := range t.Runs {
		fmt.Fprintf(&b, "- %q → %q", r.Input, r.Output)
		if r.Name != "" {
			b.WriteString(" (" + r.Name + ")")
		}
		b.WriteString("\n")
	}
	for i := range t.Properties {
		b.WriteString("\n" + t.Properties[i].text(task.EntryPoint))
	}
	source("Before the tests", task.Language, t.Setup)
	source("Assertions", "python", strings.Join(t.Asserts, "\n"))
	source("Check", "python", t.Check)
	source("Test classes", "python", t.Unittest)
	source("Script", task.Language, t.Script)
	source("Checker", "python", t.Checker)
	return b.String()
}

// Call renders a case as a call of the entry point, with arguments in JSON.
func (c Case) Call(entry string) string {
	var parts []string
	for _, a := range c.Args {
		parts = append(parts, compact(a))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Kwargs)) {
		parts = append(parts, name+"="+compact(c.Kwargs[name]))
	}
	return entry + "(" + strings.Join(parts, ", ") + ")"
}

// compact renders a JSON value on one line.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}
