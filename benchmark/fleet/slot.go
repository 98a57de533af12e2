package fleet

import (
	"fmt"
	"slices"
)

// slot is room to judge one sample. Every checker that judges a sample of a task loads its
// tests; so a slot stays with the task that it is on, as long as samples of it are there,
// and goes on with one that no other is on.
type slot struct {
	on string // the task of its last sample, by set and place; the Worker's mu guards it
}

// choose is the place of the sample that suits a slot best. The slot is on its task then.
func (w *Worker) choose(set string, samples []sample, at *slot) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	name := func(s sample) string { return fmt.Sprintf("%s/%d", set, s.Task) }
	i := slices.IndexFunc(samples, func(s sample) bool { return name(s) == at.on })
	if i < 0 {
		i = slices.IndexFunc(samples, func(s sample) bool {
			return !slices.ContainsFunc(w.all, func(other *slot) bool { return other.on == name(s) })
		})
	}
	i = max(i, 0)
	at.on = name(samples[i])
	return i
}
