package sessions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/session"
	"assay/session/report"
	"assay/session/report/reporttest"
)

// logsOf are the logs of n sessions of a made-up study.
func logsOf(t *testing.T, study reporttest.Study, n int) ([][]session.Event, Texts) {
	t.Helper()
	all := map[session.Ref][]byte{}
	var logs [][]session.Event
	for i := range n {
		events, texts, err := study.Log(i)
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, events)
		for ref, text := range texts {
			all[ref] = text
		}
	}
	return logs, func(ref session.Ref) ([]byte, error) {
		text, is := all[ref]
		if !is {
			return nil, fmt.Errorf("no text %s", ref)
		}
		return text, nil
	}
}

// reported is the report of n sessions of a made-up study.
func reported(t *testing.T, study reporttest.Study, n int) *Report {
	t.Helper()
	logs, texts := logsOf(t, study, n)
	b := NewBuilder(Options{Texts: texts, NoImages: true})
	for _, events := range logs {
		if err := b.Add(events); err != nil {
			t.Fatal(err)
		}
	}
	r, err := b.Report()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func someStudy() reporttest.Study {
	return reporttest.Study{Tasks: 24, K: 4, Testers: []string{"ann", "ben", "cleo"}, Models: []string{"m"}, Types: []string{"lists", "strings"}, Seed: 3}
}

func faults(checks []report.Check) []string {
	var all []string
	for _, c := range checks {
		for _, f := range c.Faults {
			all = append(all, c.Name+": "+f)
		}
	}
	return all
}

// TestReportsHold: what is written passes its own checks, all of which compare
// something.
func TestReportsHold(t *testing.T) {
	for name, r := range map[string]*Report{"one session": mustBuild(t, live(t)), "a study": reported(t, someStudy(), 6)} {
		dir := t.TempDir()
		if _, err := r.WriteDir(dir); err != nil {
			t.Fatal(err)
		}
		_, checks, err := CheckFiles(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		if all := faults(checks); len(all) > 0 {
			t.Errorf("%s: %s", name, strings.Join(all, "\n"))
		}
		for _, c := range checks {
			if c.Compared == 0 {
				t.Errorf("%s: %s compared nothing", name, c.Name)
			}
		}
	}
}

// TestPlantedErrorsAreFound: each error is planted in files whose sums are right, so
// that the content has to tell.
func TestPlantedErrorsAreFound(t *testing.T) {
	r := reported(t, someStudy(), 3)
	change := func(file, pattern string, with func(string) string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, file)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			at := regexp.MustCompile(pattern).FindIndex(text)
			if at == nil {
				t.Fatalf("%s does not have %s", file, pattern)
			}
			changed := slices.Concat(text[:at[0]], []byte(with(string(text[at[0]:at[1]]))), text[at[1]:])
			if bytes.Equal(changed, text) {
				t.Fatal("nothing was changed")
			}
			if err := os.WriteFile(path, changed, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	edit := func(at func(*Report)) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, "report.json")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var back Report
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			at(&back)
			var b bytes.Buffer
			if err := back.JSON(&b); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	replace := func(with string) func(string) string { return func(string) string { return with } }
	line := `(?m)^.*"?01HZ0000000000000000000001.*\n`
	for name, c := range map[string]struct {
		plant func(*testing.T, string)
		says  string
	}{
		"a changed count":               {edit(func(r *Report) { r.Counts.Satisfied++ }), "analysed tasks"},
		"a count of a step":             {edit(func(r *Report) { r.Tries.Steps[1].Satisfied++ }), "at risk"},
		"a count of a score":            {edit(func(r *Report) { r.Ratings.Attributes[2].Scores[4]-- }), "scores of"},
		"a dropped session":             {edit(func(r *Report) { r.Sessions = r.Sessions[1:] }), "sessions"},
		"a session without its row":     {change(report.DatasetFile("sessions"), line, replace("")), "not in the table of sessions"},
		"a task without its row":        {change(report.DatasetFile("tasks"), line, replace("")), "the table of tasks has"},
		"an attempt without its row":    {change(report.DatasetFile("attempts"), line, replace("")), "judged attempts"},
		"a rating without its row":      {change(report.DatasetFile("ratings"), line, replace("")), "ratings of"},
		"a rating changed":              {change(report.DatasetFile("ratings"), `(?m),[12]$`, replace(",4")), "mean of"},
		"a percentage of the data":      {edit(func(r *Report) { r.Tries.Success.Value += 0.01 }), "/attempts/satisfied"},
		"a percentage of the page":      {change("report.html", `data-decimals="1">8\d\.\d<`, func(s string) string { return strings.Replace(s, `">8`, `">9`, 1) }), "in the data"},
		"the last digit of a mean":      {change("report.html", `<data value="/attempts/attempt_k_mean/value" data-decimals="2">[^<]*`, func(s string) string { return s[:len(s)-1] + string('0'+(s[len(s)-1]-'0'+1)%10) }), "in the data"},
		"a mean without its decimals":   {change("report.html", `<data value="/attempts/attempt_k_mean/value" data-decimals="2">[^<]*`, func(s string) string { return s[:len(s)-3] }), "in the data"},
		"a number typed into the page":  {change("report.html", `the others enter no number`, replace("the others enter no number of the 77")), "not from the data"},
		"an impossible mean":            {edit(func(r *Report) { r.Ratings.Attributes[0].Mean.Value += 0.004 }), "cannot be the mean"},
		"an impossible mean of a slice": {edit(func(r *Report) { r.Slices[0].Cells[0].Total.Value += 0.01 }), "cannot be the mean"},
		"a mean out of range":           {edit(func(r *Report) { r.Ratings.Attributes[0].Mean.Value = 6 }), "is not from 1 to 5"},
		"a failed request dropped":      {edit(func(r *Report) { r.Events.Failures = 4 }), "provider errors"},
		"an interval elsewhere":         {edit(func(r *Report) { r.Tests.Accepted.Interval.High = 0.01 }), "outside its interval"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := r.WriteDir(dir); err != nil {
				t.Fatal(err)
			}
			c.plant(t, dir)
			_, checks, err := CheckFiles(os.DirFS(dir))
			if err != nil {
				t.Fatal(err)
			}
			var content, sums []string
			for _, c := range checks {
				if strings.HasPrefix(c.Name, "Files are") {
					sums = append(sums, c.Faults...)
				} else {
					content = append(content, c.Faults...)
				}
			}
			if len(sums) != 1 {
				t.Errorf("files that were changed: %q", sums)
			}
			if !slices.ContainsFunc(content, func(f string) bool { return strings.Contains(f, c.says) }) {
				t.Errorf("not found; the checks say %q", content)
			}
		})
	}
}

// TestDamagedReportsAreErrors: what is no report is said to be none.
func TestDamagedReportsAreErrors(t *testing.T) {
	r := reported(t, someStudy(), 1)
	for file, text := range map[string]string{
		"report.json": "{", report.DatasetFile("tasks"): "a\n\"", "report.html": "", report.SumsFile: "x", report.DatasetFile("ratings"): "",
	} {
		dir := t.TempDir()
		if _, err := r.WriteDir(dir); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, checks, err := CheckFiles(os.DirFS(dir)); err == nil && len(faults(checks)) == 0 {
			t.Errorf("%s of %q: nothing is said", file, text)
		}
		os.Remove(path)
		if _, checks, err := CheckFiles(os.DirFS(dir)); err == nil && len(faults(checks)) == 0 {
			t.Errorf("%s is missing: nothing is said", file)
		}
	}
	if _, _, err := CheckFiles(os.DirFS(t.TempDir())); err == nil || !strings.Contains(err.Error(), "there is no report") {
		t.Errorf("an empty directory: %v", err)
	}
}
