package importer

import (
	"strings"
	"testing"

	"assay/data/fatal"
	"assay/session"
)

const (
	goodTasks    = "task_id,test_set,order,type,difficulty,attempts,satisfied,censored,time_s\nA,T0,2,Numeric,Easy,2,1,0,81.5\nB,T0,1,Programming,hard,3,0,1,30\nC,T1,1,structural,,0,0,,0\n"
	goodAttempts = "task_id,attempt,duration_s,satisfied\nA,1,41,0\nA,2,40.5,1\nB,1,10,0\nB,2,10,0\nB,3,10,0\n"
	goodRatings  = "task_id,accuracy,conciseness,total\nA,5,4,9\nB,1,1,2\n"
)

func tables(tasks, attempts, ratings string) Tables {
	return Tables{
		Tasks:    Source{"tasks.csv", strings.NewReader(tasks)},
		Attempts: Source{"attempts.csv", strings.NewReader(attempts)},
		Ratings:  Source{"ratings.csv", strings.NewReader(ratings)},
	}
}

func TestStudyFoldsToTheSessionThatTheTablesTell(t *testing.T) {
	for _, k := range []int{3, 10} {
		study, err := Read(tables("\uFEFF"+goodTasks, strings.ReplaceAll(goodAttempts, ",", ";"), strings.ReplaceAll(goodRatings, ",", "\t")), k)
		fatal.If(t, err)
		if len(study.Warnings) != 1 || !strings.Contains(study.Warnings[0], `tasks.csv:2: column type: "Numeric" is read as "numerical"`) {
			t.Errorf("warnings %q", study.Warnings)
		}
		events, _ := study.Events(As{Session: "S", Benchmark: "old", Now: 1_700_000_000_000})
		state, intervals, err := session.Fold(events)
		fatal.If(t, err)
		times := session.TimesOf(state, intervals)
		b, a, c := state.Tasks[0], state.Tasks[1], state.Tasks[2] // by order within the set
		wantB := session.GaveUp
		if k == 3 {
			wantB = session.Exhausted
		}
		if a.ID != "A" || a.Outcome != session.Satisfied || len(a.Attempts) != 2 || a.Type != "numerical" || a.Difficulty != "easy" || times[1].Completion != 81500 {
			t.Errorf("A: %+v, %d ms", a, times[1].Completion)
		}
		if b.ID != "B" || b.Outcome != wantB || b.Ratings["accuracy"] != 1 || times[0].Completion != 30000 {
			t.Errorf("B: %+v, %d ms", b, times[0].Completion)
		}
		if c.Outcome != session.Skipped {
			t.Errorf("C: %+v", c)
		}
		if state.Closed != "finished" || state.Origin != session.Imported || state.Last.Wall != 1_700_000_000_000 {
			t.Errorf("closed %q, origin %q, ends at %d", state.Closed, state.Origin, state.Last.Wall)
		}
	}
}

func TestErrorsNameThePlaceAndTheCure(t *testing.T) {
	edit := func(text, old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in %q", old, text)
		}
		return strings.Replace(text, old, new, 1)
	}
	cases := map[string]struct {
		tables Tables
		want   string
	}{
		"empty":               {tables("", goodAttempts, goodRatings), "tasks.csv is empty"},
		"no rows":             {tables(strings.SplitAfter(goodTasks, "\n")[0], goodAttempts, goodRatings), "tasks.csv has a header but no rows"},
		"missing column":      {tables(edit(goodTasks, "time_s", "seconds"), goodAttempts, goodRatings), "tasks.csv:1: there is no column time_s"},
		"doubled column":      {tables(edit(goodTasks, "order", "type"), goodAttempts, goodRatings), `tasks.csv:1: two columns have the name "type"`},
		"short row":           {tables(edit(goodTasks, ",81.5", ""), goodAttempts, goodRatings), "tasks.csv:2: 8 cells where the header has 9"},
		"quotation":           {tables(goodTasks, edit(goodAttempts, "A,1", "\"A,1"), goodRatings), "check the quotation marks"},
		"no id":               {tables(edit(goodTasks, "\nA,", "\n,"), goodAttempts, goodRatings), "tasks.csv:2: column task_id"},
		"double task":         {tables(edit(goodTasks, "\nB,", "\nA,"), goodAttempts, goodRatings), "stands in line 2 already"},
		"difficulty":          {tables(edit(goodTasks, "hard", "brutal"), goodAttempts, goodRatings), ":3: column difficulty"},
		"beyond k":            {tables(edit(goodTasks, "hard,3", "hard,11"), goodAttempts, goodRatings), "--k sets another number"},
		"satisfied word":      {tables(edit(goodTasks, "2,1,0", "2,perhaps,0"), goodAttempts, goodRatings), `column satisfied: "perhaps" is neither`},
		"censored":            {tables(edit(goodTasks, "2,1,0", "2,1,1"), goodAttempts, goodRatings), "contradict each other"},
		"skipped with time":   {tables(edit(goodTasks, "0,0,,0", "0,0,,7"), goodAttempts, goodRatings), "a task without attempts was skipped"},
		"time":                {tables(edit(goodTasks, "81.5", "1m"), goodAttempts, goodRatings), "column time_s"},
		"negative time":       {tables(goodTasks, edit(goodAttempts, "40.5", "-1"), goodRatings), "attempts.csv:3: column duration_s"},
		"sum of durations":    {tables(edit(goodTasks, "81.5", "81"), goodAttempts, goodRatings), "took 81 s here, but its attempts in attempts.csv add up to 81.5 s"},
		"unknown task":        {tables(goodTasks, edit(goodAttempts, "B,1", "X,1"), goodRatings), `attempts.csv:4: column task_id: there is no task "X"`},
		"gap":                 {tables(goodTasks, edit(goodAttempts, "B,2", "B,3"), goodRatings), "without gaps"},
		"missing attempt":     {tables(goodTasks, edit(goodAttempts, "B,3,10,0\n", ""), goodRatings), "has 3 attempts here, but 2 rows"},
		"satisfied too early": {tables(goodTasks, edit(goodAttempts, "41,0", "41,1"), goodRatings), "attempts.csv:2: column satisfied"},
		"never satisfied":     {tables(goodTasks, edit(goodAttempts, "40.5,1", "40.5,0"), goodRatings), "attempts.csv:3: column satisfied"},
		"score":               {tables(goodTasks, goodAttempts, edit(goodRatings, "A,5", "A,6")), "ratings.csv:2: column accuracy"},
		"total":               {tables(goodTasks, goodAttempts, edit(goodRatings, "4,9", "4,10")), "column total: 10 is not the sum of the attributes, which is 9"},
		"not rated":           {tables(goodTasks, goodAttempts, edit(goodRatings, "B,1,1,2\n", "")), "task B has no row in ratings.csv"},
		"rated twice":         {tables(goodTasks, goodAttempts, goodRatings+"A,1,1,2\n"), "rated twice"},
		"rated but skipped":   {tables(goodTasks, goodAttempts, goodRatings+"C,1,1,2\n"), "nothing to rate"},
		"no attribute":        {tables(goodTasks, goodAttempts, "task_id,beauty\nA,1\n"), "the attributes are accuracy"},
	}
	for name, c := range cases {
		if _, err := Read(c.tables, 10); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(goodTasks, goodAttempts, goodRatings)
	f.Fuzz(func(t *testing.T, tasks, attempts, ratings string) {
		study, err := Read(tables(tasks, attempts, ratings), 10)
		if err != nil {
			return
		}
		// Sessions that pass the checks can be replayed.
		events, _ := study.Events(As{Session: "S"})
		if _, err := session.Replay(events); err != nil {
			t.Errorf("the study is accepted but does not fold: %v", err)
		}
	})
}
