package sessions

import (
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"testing"

	"assay/session"
	"assay/session/report"
	"assay/session/simulate"
)

// The columns that repeat.R reads are those of the dataset, or its own. Without R, that is what can be known.
func TestRepeatReadsColumnsThatAreThere(t *testing.T) {
	r := leftEarly(t)
	there := map[string]map[string]bool{}
	for _, table := range r.tables() {
		there[table.Name] = map[string]bool{}
		for _, c := range table.Columns {
			there[table.Name][c.Name] = true
		}
	}
	variables := map[string]string{"sessions": "sessions", "worked": "sessions", "tasks": "tasks", "results": "tasks", "attempts": "attempts", "last": "attempts", "ratings": "ratings", "labels": "labels", "people": "participants"}
	read := map[string]bool{}
	for _, m := range regexp.MustCompile(`\b(\w+)\$(\w+)( *<<?-)?`).FindAllStringSubmatch(repeat, -1) {
		name := variables[m[1]]
		if m[3] != "" && name != "" {
			there[name][m[2]] = true // the script's own
		}
		if name == "" || len(there[name]) == 0 {
			continue
		}
		read[name] = true
		if !there[name][m[2]] {
			t.Errorf("the dataset's table %s has no column %q", name, m[2])
		}
	}
	if len(read) < 6 {
		t.Errorf("only columns of %v were looked at", slices.Sorted(maps.Keys(read)))
	}
}

// armName is the name of an arm as repeat.R makes it, from rows of the table of sessions and the
// settings of models in report.json.
func armName(row report.Row, worked []report.Row, definition map[string]string) string {
	model := func(r report.Row) string {
		if id := r.Text("model_id"); id != "" && id != r.Text("model") {
			return r.Text("model") + " (" + id + ")"
		}
		return r.Text("model")
	}
	several := func(of func(report.Row) string) map[string]bool {
		first, found := map[string]string{}, map[string]bool{}
		for _, w := range worked {
			if was, known := first[model(w)]; known && was != of(w) {
				found[model(w)] = true
			}
			first[model(w)] = of(w)
		}
		return found
	}
	name, mine := model(row), definition[row.Text("session")]
	if mine != "" && several(func(w report.Row) string { return definition[w.Text("session")] })[name] {
		name += " as " + mine
	}
	if len(several(func(w report.Row) string { return w.Text("arm") })) > 0 && row.Text("arm") != "" {
		name = row.Text("arm") + " (" + name + ")"
	}
	is := func(fits func(report.Row) bool) bool { return slices.ContainsFunc(worked, fits) }
	switch {
	case row.Text("tester_kind") == "automatic":
		name = "a program (feedback " + row.Text("feedback") + "): " + name
	case is(func(w report.Row) bool { return w.Text("tester_kind") == "automatic" }):
		name = "people: " + name
	}
	if is(func(w report.Row) bool {
		return w.Text("level") != row.Text("level") || w.Text("context") != row.Text("context")
	}) {
		name += ", level " + row.Text("level") + ", " + row.Text("context")
	}
	return name
}

// The names by which repeat.R finds the sessions of an arm are those of the report, whatever arms differ in.
func TestRepeatFindsArms(t *testing.T) {
	type arm struct {
		study, model, id, definition string
		level                        int
	}
	reports := map[string]*Report{"unequal sessions": leftEarly(t), "a program, too": reported(t, sideBySide(), 4)}
	for name, arms := range map[string][]arm{
		"two models": {{study: "A", model: "m"}, {study: "B", model: "n"}},
		"one model":  {{study: "A", model: "m"}, {study: "B", model: "m"}},
		"four arms":  {{study: "A", model: "m"}, {study: "B", model: "n"}, {study: "C", model: "o"}, {study: "D", model: "o"}},
		"ids":        {{study: "A", model: "m", id: "m-1"}, {study: "A", model: "m", id: "m-2"}},
		"settings":   {{model: "m", definition: "d1"}, {model: "m", definition: "d2"}, {model: "n", definition: "d3"}},
		"levels":     {{model: "m", level: 1}, {model: "m", level: 2}},
	} {
		var logs [][]session.Event
		for i := range 2 * len(arms) {
			a := arms[i%len(arms)]
			plan := session.Plan{
				Benchmark: "b", K: 2, Level: a.level, Context: session.Fresh, Tester: fmt.Sprint("t", i), Attributes: session.MiahZhuAttributes(),
				Model: session.Model{Name: a.model, Provider: "replay", Model: a.id, Definition: a.definition},
			}
			if a.study != "" {
				plan.Study = &session.InStudy{Name: "s", Version: 1, Hash: "h", Arm: a.study, Tester: i + 1, Part: 1}
			}
			for n := range 6 {
				plan.Tasks = append(plan.Tasks, session.PlanTask{ID: fmt.Sprint(n)})
			}
			events, _, err := simulate.Session{ID: fmt.Sprintf("01HZ%022d", i), Plan: plan, Seed: uint64(i), Wall: 1_700_000_000_000}.Log()
			if err != nil {
				t.Fatal(err)
			}
			logs = append(logs, events)
		}
		r, err := Build(logs...)
		if err != nil {
			t.Fatal(err)
		}
		reports[name] = r
	}
	for name, r := range reports {
		definition, want, got := map[string]string{}, []string{}, []string{}
		for _, h := range r.Sessions {
			definition[h.ID] = h.Definition
		}
		var rows []report.Row
		for _, table := range r.tables() {
			if table.Name == "sessions" {
				rows = slices.Collect(iter.Seq[report.Row](table.Named()))
			}
		}
		for _, row := range rows {
			got = append(got, armName(row, rows, definition))
		}
		for _, a := range r.Arms.Arms {
			want = append(want, a.Name)
		}
		slices.Sort(got)
		slices.Sort(want)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: the report has the arms %q, repeat.R finds %q", name, want, got)
		}
	}
}
