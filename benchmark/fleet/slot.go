package fleet

import "slices"

// slot is room to judge one sample. Every checker that judges a sample of a task loads its
// tests; so a slot stays with the task that it is on, as long as samples of it are there,
// and goes on with one that no other is on.
type slot struct {
	on taskID // of its last sample; the Worker's mu guards it
}

// taskID is a task by its set and its place there.
type taskID struct {
	set string
	at  int
}

// choose is the place of the sample that suits a slot best. The slot is on its task then.
func (w *Worker) choose(set string, samples []sample, at *slot) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(samples, func(s sample) bool { return at.on == taskID{set, s.Task} })
	if i < 0 {
		i = slices.IndexFunc(samples, func(s sample) bool {
			return !slices.ContainsFunc(w.all, func(other *slot) bool { return other.on == taskID{set, s.Task} })
		})
	}
	i = max(i, 0)
	at.on = taskID{set, samples[i].Task}
	return i
}
