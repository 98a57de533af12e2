package fleet

import "testing"

// TestSlotStaysWithItsTask: for a message with samples of several tasks, each slot takes those of one task
// after the other, so that few checkers load a task, and no slot is idle while there are samples.
func TestSlotStaysWithItsTask(t *testing.T) {
	var samples []sample
	for i := range 30 {
		samples = append(samples, sample{Task: i / 10})
	}
	w := &Worker{all: []*slot{{}, {}}}
	took := map[*slot][]int{}
	for turn := 0; len(samples) > 0; turn++ {
		at := w.all[turn%2]
		i := w.choose("set", samples, at)
		took[at] = append(took[at], samples[i].Task)
		samples = append(samples[:i], samples[i+1:]...)
	}
	loads := 0
	for _, tasks := range took {
		for i, task := range tasks {
			if i == 0 || tasks[i-1] != task {
				loads++
			}
		}
	}
	if loads != 4 { // the third task is left when both slots are done with theirs
		t.Errorf("tasks were loaded %d times: %v", loads, took)
	}
	if other := w.choose("other", []sample{{Task: 2}}, w.all[0]); other != 0 || w.all[0].on != (taskID{"other", 2}) {
		t.Errorf("a task of another set is taken for the same: %v", w.all[0])
	}
}
