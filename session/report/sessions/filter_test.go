package sessions

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session"
	"assay/session/report/reporttest"
	"assay/session/study"
)

// part returns the log of a session whose plan has only some tasks, with what was recorded for these.
func part(t *testing.T, events []session.Event, keep func(*session.PlanTask) bool) []session.Event {
	t.Helper()
	plan := events[0].Payload.(session.Opened).Plan
	place := map[int]int{} // of kept tasks, in the part
	var tasks []session.PlanTask
	for i := range plan.Tasks {
		if keep(&plan.Tasks[i]) {
			place[i], tasks = len(tasks), append(tasks, plan.Tasks[i])
		}
	}
	var list []session.Event
	prev, open := "", true // whether the task at work, or the session, is in the part
	for _, e := range events {
		p := reflect.New(reflect.TypeOf(e.Payload)).Elem()
		p.Set(reflect.ValueOf(e.Payload))
		here := open
		for _, name := range []string{"Index", "Task"} {
			if f := p.FieldByName(name); f.IsValid() && f.Kind() == reflect.Int {
				at, kept := place[int(f.Int())]
				if here = kept; kept {
					f.SetInt(int64(at))
				}
			}
		}
		switch x := e.Payload.(type) {
		case session.Opened:
			x.Plan.Tasks = tasks
			p.Set(reflect.ValueOf(x))
		case session.TaskOpened:
			open = here
		case session.TaskClosed:
			open = true
		case session.Closed:
			here = true
		}
		if !here {
			continue
		}
		e.Seq, e.Payload = uint64(len(list)+1), p.Interface().(session.Payload)
		sealed, err := e.Seal(prev)
		fatal.If(t, err)
		list, prev = append(list, sealed), sealed.Hash
	}
	return list
}

// numbers returns a report as JSON, without what says how long and how sealed the logs are, and which place a task had among
// those left out.
func (r *Report) numbers(t *testing.T) map[string]any {
	t.Helper()
	text, err := json.Marshal(r)
	fatal.If(t, err)
	var all map[string]any
	fatal.If(t, json.Unmarshal(text, &all))
	for _, name := range []string{"filter", "order", "checks"} {
		delete(all, name)
	}
	delete(all["log"].(map[string]any), "events")
	for _, h := range all["sessions"].([]any) {
		for _, name := range []string{"events", "hash"} {
			delete(h.(map[string]any), name)
		}
	}
	return all
}

// The report of the tasks that a filter chooses, and what is seen of a study while it runs, equal those of sessions, or a study,
// that have only these tasks.
func TestFilteredReports(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	compared := 0
	for range 12 {
		made := reporttest.Study{Tasks: 4 + random.IntN(12), K: 3, Testers: []string{"ann", "ben", "cleo"}[:1+random.IntN(3)], Models: []string{"m", "n"}[:1+random.IntN(2)],
			Types: []string{"lists", "strings"}, Seed: random.Uint64N(100), Unrated: random.IntN(4) == 0}
		if random.IntN(2) == 0 {
			made.Levels = []int{1, 3}
		}
		if random.IntN(4) == 0 {
			made.Models, made.Arena = []string{"m", "n"}, true
		}
		logs, texts := logsOf(t, made, 1+random.IntN(5))
		if random.IntN(2) == 0 { // of a study
			for i := range logs {
				o := logs[i][0].Payload.(session.Opened)
				o.Plan.Study = &session.InStudy{Name: "pilot", Version: 1, Hash: "abc", Arm: o.Plan.Model.Name, Tester: 1 + i, Part: 1}
				logs[i][0].Payload = o
				logs[i] = part(t, logs[i], func(*session.PlanTask) bool { return true })
			}
		}
		text := pick("difficulty:easy", "-difficulty:hard", "type:lists", "type:strings difficulty:>=medium", "id:task-000,task-002", "id:*3", "task-001", "-task-001")
		filter, err := benchmark.ParseFilter(text)
		fatal.If(t, err)
		filtered, whole := NewBuilder(Options{Texts: texts, Filter: filter, Title: "T"}), NewBuilder(Options{Texts: texts, Title: "T"})
		for _, events := range logs {
			data := part(t, events, func(p *session.PlanTask) bool {
				task, err := p.Stored(texts)
				fatal.If(t, err)
				return filter.Match(task)
			})
			fatal.If(t, filtered.Add(events))
			fatal.If(t, whole.Add(data))
			if a, b := watched(t, events, texts, filter), watched(t, data, texts, benchmark.Filter{}); !reflect.DeepEqual(a, b) {
				t.Errorf("%s: watched\n%+v\nand of the data\n%+v", text, a, b)
			}
		}
		got, err := filtered.Report()
		if err != nil {
			if !strings.Contains(err.Error(), fmt.Sprintf("matches the filter %q: ", text)) {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		want, err := whole.Report()
		fatal.If(t, err)
		compared++
		a, b := got.numbers(t), want.numbers(t)
		for name := range b {
			if x, y := fmt.Sprint(a[name]), fmt.Sprint(b[name]); x != y {
				t.Errorf("%s, %+v: %s of the report is\n%s\nand of the data\n%s", text, made, name, x, y)
			}
		}
		if all := faults(got.Checks); len(all) > 0 || got.Filter != text || !slices.Equal(keys(a), keys(b)) {
			t.Errorf("%s: %v, filter %q", text, all, got.Filter)
		}
	}
	if compared < 6 {
		t.Errorf("only %d of 12 reports have a task", compared)
	}
}

// watched is what the supervisors of a study see of a session's tasks.
func watched(t *testing.T, events []session.Event, texts Texts, filter benchmark.Filter) study.Progress {
	t.Helper()
	p, err := study.Watch(events, texts, filter)
	fatal.If(t, err)
	p.Breaks, p.Gaps, p.Flags = 0, 0, nil // of the whole session
	return p
}

func keys(m map[string]any) []string {
	var all []string
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// A withdrawn session, whose texts are gone, is filtered by its plan.
func TestFilterWithdrawn(t *testing.T) {
	logs, _ := logsOf(t, someStudy(), 1)
	opened := logs[0][0].Payload.(session.Opened)
	for i := range opened.Plan.Tasks {
		opened.Plan.Tasks[i].Content = session.RefOf([]byte{byte(i)})
	}
	var events []session.Event
	prev := ""
	for i, p := range []session.Payload{opened, session.Closed{Reason: "withdrawn"}} {
		e, err := session.Event{Seq: uint64(i + 1), Payload: p, Stamp: logs[0][0].Stamp}.Seal(prev)
		fatal.If(t, err)
		events, prev = append(events, e), e.Hash
	}
	filter, err := benchmark.ParseFilter("type:lists")
	fatal.If(t, err)
	b := NewBuilder(Options{Filter: filter, Texts: func(ref session.Ref) ([]byte, error) { return nil, fmt.Errorf("no text %s", ref) }})
	fatal.If(t, b.Add(events))
	r, err := b.Report()
	if err != nil || r.Counts.Withdrawn != 12 {
		t.Errorf("%+v, %v", r, err)
	}
}
