package benchmark

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Draw shuffles tasks with the seed and divides them into count disjoint test sets of size tasks each: T0,
// T1, …. Equal arguments give equal sets on every machine. With size 0 it divides all tasks as evenly as
// possible.
//
// With fields to stratify by, the sets have nearly the same composition: for each combination of values,
// the counts in any two sets differ by at most one. Each combination has the same share in the sample as in
// tasks, except for rounding (systematic sampling from an ordered list, Cochran 1977, chapter 8).
func Draw(tasks []*Task, seed uint64, count, size int, stratify ...string) ([][]*Task, error) {
	if count < 1 {
		return nil, fmt.Errorf("%d test sets cannot be drawn; ask for at least 1", count)
	}
	if count > len(tasks) && len(tasks) > 0 || count > 1<<20 {
		return nil, fmt.Errorf("%d test sets cannot be drawn from %d tasks", count, len(tasks))
	}
	if size < 0 || size > len(tasks) || count*size > len(tasks) {
		return nil, fmt.Errorf("test sets × tasks in a set is %d × %d = %d, and the filter chooses %d tasks", count, size, count*size, len(tasks))
	}
	stratum, err := strata(stratify)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, drawStream))
	shuffle := func(list []*Task) {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	shuffled := slices.Clone(tasks)
	shuffle(shuffled)
	sets := make([][]*Task, count)
	if len(stratify) == 0 {
		for i := range sets {
			n := size
			if size == 0 {
				n = len(tasks) / count
				if i < len(tasks)%count {
					n++
				}
			}
			sets[i], shuffled = shuffled[:n:n], shuffled[n:]
		}
		return sets, nil
	}
	byStratum := map[string][]*Task{}
	for _, t := range shuffled {
		byStratum[stratum(t)] = append(byStratum[stratum(t)], t)
	}
	var inOrder []*Task
	for _, s := range slices.Sorted(maps.Keys(byStratum)) {
		inOrder = append(inOrder, byStratum[s]...)
	}
	wanted := count * size
	if size == 0 {
		wanted = len(tasks)
	}
	start := rng.Float64()
	for i := range wanted {
		t := inOrder[min(int((float64(i)+start)*float64(len(inOrder))/float64(wanted)), len(inOrder)-1)]
		sets[i%count] = append(sets[i%count], t)
	}
	for _, set := range sets {
		shuffle(set)
	}
	return sets, nil
}

// DrawCells draws perCell tasks at random from every cell, a combination of values of the fields, and returns them cell
// by cell, with the cells that have fewer, all of whose tasks are drawn. Years are those of YearClasses. Equal arguments
// give equal tasks on every machine. Tasks without a value of a field are in no cell. (Yeo et al. 2024, section 5.2,
// draw ten problems of each difficulty and year.)
func DrawCells(tasks []*Task, seed uint64, perCell int, fields ...string) (drawn []*Task, short []ShortCell, err error) {
	if perCell < 1 || len(fields) == 0 {
		return nil, nil, fmt.Errorf("%d tasks of each cell by %d fields cannot be drawn: ask for at least 1 by at least 1, as difficulty and year", perCell, len(fields))
	}
	by, err := stratifying(fields)
	if err != nil {
		return nil, nil, err
	}
	var dates []string
	for _, t := range tasks {
		dates = append(dates, t.published())
	}
	years := YearClasses(dates)
	cells := map[string][]*Task{}
	shuffled := slices.Clone(tasks)
	rand.New(rand.NewPCG(seed, drawStream)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, t := range shuffled {
		var parts []string
		for _, f := range by {
			part := strings.Join(f.of(t), ",")
			if f.name == "year" {
				part = years[part]
			}
			if part != "" {
				parts = append(parts, part)
			}
		}
		if cell := strings.Join(parts, " · "); len(parts) == len(by) {
			cells[cell] = append(cells[cell], t)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		if n := len(cells[name]); n < perCell {
			short = append(short, ShortCell{name, n})
		}
		drawn = append(drawn, cells[name][:min(perCell, len(cells[name]))]...)
	}
	if len(drawn) == 0 {
		return nil, nil, fmt.Errorf("none of %d tasks has %s", len(tasks), strings.Join(fields, " and "))
	}
	return drawn, short, nil
}

// ShortCell is a cell with fewer tasks than were to be drawn from it.
type ShortCell struct {
	Name  string // the values of the fields, as "hard · 2023"
	Tasks int
}

// YearClasses returns the class of each year of publication: the two latest years stand alone and all before them
// together, as "~2021"; up to three years stand alone, and the unknown year "" always does.
func YearClasses(years []string) map[string]string {
	years = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(years))), func(y string) bool { return y == "" })
	classes := map[string]string{}
	for i, y := range years {
		classes[y] = y
		if last := len(years) - 3; last > 0 && i <= last {
			classes[y] = "~" + years[last]
		}
	}
	return classes
}

// strata returns a function that names the stratum of a task: its values of the fields.
func strata(names []string) (func(*Task) string, error) {
	by, err := stratifying(names)
	if err != nil {
		return nil, err
	}
	return func(t *Task) string {
		var parts []string
		for _, f := range by {
			parts = append(parts, strings.Join(f.of(t), ","))
		}
		return strings.Join(parts, "\x00")
	}, nil
}

// stratifying returns the fields of names, or an error if tasks cannot be divided by one of them.
func stratifying(names []string) (by []*field, err error) {
	for _, name := range names {
		f := fieldNamed(name)
		if f == nil || f.kind == presence || f.kind == partial {
			return nil, fmt.Errorf("test sets cannot be stratified by %q; by difficulty, type, category, language, year or source they can", name)
		}
		by = append(by, f)
	}
	return by, nil
}

// drawStream makes the order of tasks independent of other uses of a seed.
const drawStream = 0x7461736b73 // "tasks"
