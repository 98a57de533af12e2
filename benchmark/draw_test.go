package benchmark

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestDrawCells: of every cell the asked number of different tasks is drawn, or all of them where there are fewer,
// which are named; equal arguments draw equal tasks, and the years before the latest two are one class.
func TestDrawCells(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		var tasks []*Task
		cells := map[string]int{}
		for i := range 1 + random.IntN(60) {
			task := &Task{ID: fmt.Sprint(i), Difficulty: []Difficulty{"", "easy", "hard"}[random.IntN(3)]}
			year := []string{"", "2019", "2021", "2022", "2023"}[random.IntN(5)]
			task.Published = Date(year)
			tasks = append(tasks, task)
			if year != "" && task.Difficulty != "" {
				cells[string(task.Difficulty)+" "+year]++
			}
		}
		most := 1 + random.IntN(8)
		drawn, short, err := DrawCells(tasks, uint64(round), most, "difficulty", "year")
		if err != nil {
			if len(cells) > 0 {
				t.Fatal(err)
			}
			continue
		}
		again, _, _ := DrawCells(tasks, uint64(round), most, "difficulty", "year")
		if !slices.Equal(drawn, again) {
			t.Fatal("equal arguments draw other tasks")
		}
		var years []string
		for _, task := range tasks {
			years = append(years, string(task.Published))
		}
		classes := YearClasses(years)
		want, got := map[string]int{}, map[string]int{}
		for _, task := range tasks {
			if task.Published != "" && task.Difficulty != "" {
				want[fmt.Sprintf("%s · %s", task.Difficulty, classes[string(task.Published)])]++
			}
		}
		var wantShort []ShortCell
		for name, n := range want {
			if n < most {
				wantShort = append(wantShort, ShortCell{name, n})
			}
			want[name] = min(n, most)
		}
		slices.SortFunc(wantShort, func(a, b ShortCell) int { return strings.Compare(a.Name, b.Name) })
		seen := map[*Task]bool{}
		for _, task := range drawn {
			if seen[task] {
				t.Fatalf("%s is drawn twice", task.ID)
			}
			seen[task] = true
			got[fmt.Sprintf("%s · %s", task.Difficulty, classes[string(task.Published)])]++
		}
		if !reflect.DeepEqual(got, want) || !slices.Equal(short, wantShort) {
			t.Fatalf("round %d: drawn %v, want %v; short %v, want %v", round, got, want, short, wantShort)
		}
	}
	if got := YearClasses([]string{"2023", "2020", "", "2021", "2022", "2021"}); !reflect.DeepEqual(got, map[string]string{"2020": "~2021", "2021": "~2021", "2022": "2022", "2023": "2023"}) {
		t.Error(got)
	}
	for _, fields := range [][]string{nil, {"colour"}, {"title"}} {
		if _, _, err := DrawCells([]*Task{{ID: "a"}}, 1, 1, fields...); err == nil {
			t.Errorf("%v: no error", fields)
		}
	}
}
