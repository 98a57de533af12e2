package prompts

import "testing"

// Checking the eighteen prompts of a task.
func BenchmarkCheck(b *testing.B) {
	task := median()
	var list []Prompt
	for i := range 18 {
		list = append(list, Prompt{Task: task.ID, Name: nameOf(i/6+1, i%6+1), Level: i/6 + 1, Wording: i%6 + 1,
			Text: "Write a function median that sorts the numbers and takes the one in the middle, or of an even number the mean of both."})
	}
	for b.Loop() {
		checker := NewChecker(task)
		for _, p := range list {
			checker.Check(p, list)
		}
	}
}
