package judge

import "assay/benchmark"

// Assembly says how a sample's text becomes a program together with the task's
// prompt. The text itself is never altered.
type Assembly string

// The assemblies. The zero value is Solution.
const (
	Solution   Assembly = "solution"   // a whole function: prompt, newline, code
	Completion Assembly = "completion" // what follows the prompt directly, as HumanEval's completions do
	Program    Assembly = "program"    // the code alone
)

// Assemble returns the program that is run for code.
func Assemble(task *benchmark.Task, code string, how Assembly) string {
	switch {
	case task.Prompt == "" || how == Program:
		return code
	case how == Completion:
		return task.Prompt + code
	}
	return task.Prompt + "\n" + code
}
