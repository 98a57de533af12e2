package table

import (
	"strings"
	"testing"

	"assay/data/fatal"
)

// The same table is read with each separator, with a byte order mark, and with the line ends and decimal commas of spreadsheets.
func TestDialects(t *testing.T) {
	for _, text := range []string{
		"Task,Score,note\nA,0.5,\"two\nlines\"\nB,1,\n",
		"\ufeffTask;Score;note\r\nA;0,5;\"two\nlines\"\r\nB;1;\r\n",
		" Task\tScore \tnote\nA\t0,5\t\"two\nlines\"\nB\t1\t\n",
	} {
		table, err := Read(strings.NewReader(text), "t.csv", "task", "score")
		fatal.If(t, err)
		score, err := table.Rows[0].Number("score", 0, 1)
		if err != nil || score != 0.5 || len(table.Rows) != 2 || table.Rows[1].Line != 4 || table.Rows[0].Text("note") != "two\nlines" || table.Has("n") {
			t.Errorf("%q: %v, %+v", text, err, table)
		}
	}
}

// What cannot be read is named with its place.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "t.csv is empty: its first line must name the columns task",
		"task\n":                 "t.csv has a header but no rows",
		"id,x\n1,2\n":            "t.csv:1: there is no column task; the columns are id, x",
		"task,task\n1,2\n":       `t.csv:1: two columns have the name "task"`,
		"task,x\nA,1\nB\n":       "t.csv:3: 1 cells where the header has 2",
		"task,x\nA,\"1\nB,2\n":   "check the quotation marks",
		"task,x\nA,b\"c\"d\n":    "t.csv:2: ",
		"task\n\xe4\n":           "t.csv is not in UTF-8",
		"task,n\nA,1\nB,2.5\n":   `t.csv:3: column n: "2.5" is not a whole number from 0 to 9`,
		"task,n\nA,1\nB,ten\n":   `t.csv:3: column n: "ten" is not`,
		"task,n,ok\nA,1,maybe\n": `t.csv:2: column ok: "maybe" is neither yes`,
	} {
		table, err := Read(strings.NewReader(text), "t.csv", "task")
		for i := 0; err == nil && i < len(table.Rows); i++ {
			if table.Has("ok") {
				_, err = table.Rows[i].Yes("ok")
			} else if table.Has("n") {
				_, err = table.Rows[i].Integer("n", 0, 9)
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
