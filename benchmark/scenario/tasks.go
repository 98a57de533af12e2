package scenario

import (
	"strings"

	"assay/benchmark"
)

// predicting returns a task without id and title.
func predicting(style benchmark.Style, description, reference, call, output string) benchmark.Task {
	return benchmark.Task{Language: "python", Description: description, Reference: reference,
		Tests: benchmark.Tests{Style: style, Runs: []benchmark.Run{{Input: call, Output: output}}}}
}

// Execution returns a task that shows code and asks what a call returns.
func Execution(code, call, output string) benchmark.Task {
	return predicting(benchmark.Execution, "What does the call return? Execute the code as it is, even if it seems wrong.\n\n"+
		fenced(strings.TrimSpace(code)+"\n\nassert "+call+" == ??"), output, call, output)
}

// Input returns a task that shows code and asks for a call of the function that returns the output; call is one.
func Input(code, function, call, output string) benchmark.Task {
	t := predicting(benchmark.Input, "Which call returns this value? Execute the code as it is, even if it seems wrong.\n\n"+
		fenced(strings.TrimSpace(code)+"\n\nassert "+function+"(??) == "+output), call, call, output)
	t.EntryPoint, t.Tests.Setup = function, code
	return t
}

// Output returns a task that shows the statement of a function and asks for the value of a test case.
func Output(statement, call, output string) benchmark.Task {
	return predicting(benchmark.Output, statement+"\n\nComplete this test case:\n\n"+fenced("assert "+call+" == # TODO"),
		"assert "+call+" == "+output, call, output)
}

// Function shows a function in a statement.
func Function(code string) string { return "The function:\n\n" + fenced(code) }

func fenced(code string) string { return "```python\n" + code + "\n```" }
