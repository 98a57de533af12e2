package judge

import (
	"regexp"
	"strings"

	"assay/benchmark"
	"assay/benchmark/source"
	"assay/data/language"
)

// Assembly is how a sample's text and the task's prompt become a program. The text itself is
// never altered.
type Assembly string

// The assemblies. The zero value is Solution.
const (
	Solution   Assembly = "solution"   // a whole function: prompt, newline, code
	Completion Assembly = "completion" // follows the prompt directly, as HumanEval's completions do
	Program    Assembly = "program"    // the code alone
)

// Assemble returns the program that is run for code.
func Assemble(task *benchmark.Task, code string, how Assembly) string {
	code = strings.ReplaceAll(strings.TrimPrefix(code, "\ufeff"), "\r\n", "\n")
	switch {
	case task.Prompt == "" || how == Program:
	case task.Language == "python":
		code = assemblePython(task, code, how)
	case how == Completion:
		code = task.Prompt + code
	default:
		code = preamble(task.Language, task.Prompt, code) + "\n" + code
	}
	return before(code, task.Tests.Helpers())
}

// assemblePython joins a prompt and code in Python. Either the code is a body of the prompt's function, or it stands
// behind what else the prompt has: the prompt's own stub is never what the tests call.
func assemblePython(task *benchmark.Task, code string, how Assembly) string {
	if how == Completion && bodyFirst.MatchString(code) {
		return task.Prompt + code
	}
	if task.EntryPoint == "" {
		return before(code, task.Prompt+"\n")
	}
	if p, ok := source.Parse("python", code); ok {
		if _, defined := p.Definition(task.EntryPoint); !defined {
			if program, ok := source.Body(task.Prompt, code, task.EntryPoint); ok {
				return program
			}
		}
	}
	return before(code, source.WithoutStub(task.Prompt, task.EntryPoint)+"\n")
}

// before puts text in front of a program in Python, but behind its imports from __future__, which must come first.
func before(program, text string) string {
	if strings.TrimSpace(text) == "" {
		return program
	}
	if !strings.Contains(program, "__future__") {
		return text + program
	}
	first := 0
	if p, ok := source.Parse("python", program); ok {
		first = p.LastFuture()
	}
	head := program[:first]
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	return head + text + program[first:]
}

// bodyFirst matches code that begins with an indented statement: it continues the prompt's function.
var bodyFirst = regexp.MustCompile(`^(?:[ \t]*\n)*[ \t]+(?:[^\s#"'.rRuUbB]|[rRuUbB][^"'])`)

// hasCode reports whether code has more than comments.
func hasCode(language, code string) bool {
	for line := range strings.Lines(code) {
		if text := strings.TrimLeft(line, " \t\r\n\ufeff"); text != "" && !strings.ContainsRune("#/*-%;(", rune(text[0])) {
			return true
		}
	}
	p, parsed := source.Parse(language, code)
	return strings.TrimSpace(code) != "" && !(parsed && p.Empty())
}

// preamble returns the part of a prompt that a whole function in a language other than Python needs:
// what precedes the declaration that the prompt leaves open. It is empty where the code repeats
// that class itself, or the whole prompt.
func preamble(written, prompt, code string) string {
	if strings.HasPrefix(strings.TrimSpace(code), strings.TrimSpace(prompt)) {
		return ""
	}
	lines := strings.Split(strings.TrimRight(prompt, " \t\r\n"), "\n")
	for i, line := range lines {
		if name := openClass.FindStringSubmatch(line); name != nil && strings.Contains(code, name[1]+" "+name[2]) {
			return strings.Join(lines[:i], "\n")
		}
	}
	if first := lines[0]; opensFile.MatchString(first) && strings.HasPrefix(strings.TrimSpace(code), first) {
		return "" // <?php and #lang begin a file, and stand in it once
	}
	if last := lines[len(lines)-1]; strings.HasSuffix(last, "{") {
		return strings.Join(lines[:len(lines)-1], "\n")
	}
	if e := language.Find(written); e != nil {
		return prompt[:e.DeclaredAt(prompt)]
	}
	return prompt
}

// opensFile matches a line that can only be a file's first.
var opensFile = regexp.MustCompile(`^(?:<\?php|#lang\b)`)

// scriptAfter returns the part of a script's tests that follows the program. MultiPL-E's tests
// begin by closing what the prompt left open; where a whole function takes the place of that,
// there is less to close.
func scriptAfter(task *benchmark.Task, code string, how Assembly) string {
	script, left := task.Tests.Script, 0
	switch {
	case how == Completion || task.Language == "python":
		return script
	case how == Program:
		left = strings.Count(task.Prompt, "{")
	default:
		for line := range strings.Lines(strings.TrimPrefix(task.Prompt, preamble(task.Language, task.Prompt, code))) {
			if strings.HasSuffix(strings.TrimSpace(line), "{") {
				left++
			}
		}
	}
	for ; left > 0; left-- {
		first, rest, _ := strings.Cut(script, "\n")
		if strings.TrimSpace(first) != "}" {
			break
		}
		script = rest
	}
	return script
}

// openClass matches the header of a class or object, which prompts of Java, C# and Scala leave open.
var openClass = regexp.MustCompile(`^\s*(?:public\s+)?(class|object)\s+(\w+)\s*\{`)
