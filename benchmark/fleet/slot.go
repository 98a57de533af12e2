package fleet

import "slices"

// slot is room for judging one sample. Every checker loads the tests of its sample's task; so a slot stays
// with its task as long as there are samples of it, and then prefers a task without another slot.
type slot struct {
	on taskID // task of its last sample; guarded by the Worker's mu
}

// taskID identifies a task by its set and index.
type taskID struct {
	set string
	at  int
}

// choose returns the index of the best sample for a slot, and assigns its task to the slot.
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
