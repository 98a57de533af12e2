package judge

import (
	"strings"

	"assay/benchmark"
)

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
	return closed(task.Prompt) + "\n" + code
}

// closed gives a prompt that ends with the header of a function, without even a
// docstring, an empty body: a whole function after it would not compile.
func closed(prompt string) string {
	body := strings.TrimRight(prompt, " \t\r\n")
	if !strings.HasSuffix(body, ":") {
		return prompt
	}
	last := body[strings.LastIndexByte(body, '\n')+1:]
	indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	return body + "\n" + indent + "    pass\n"
}
