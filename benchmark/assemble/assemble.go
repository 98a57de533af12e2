// Package assemble joins an answer's code and what its task says before it to the program that is run.
package assemble

import (
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/source"
	"assay/data/language"
)

// Assembly is how a sample's text and the task's prompt become a program. In a whole file only what can stand once in a
// program is changed, see source.Part.
type Assembly string

// The assemblies. The zero value is Solution.
const (
	Solution   Assembly = "solution"   // a whole function or file, or a body: joined with what it needs of the prompt
	Completion Assembly = "completion" // follows the prompt directly, as HumanEval's completions do
	Program    Assembly = "program"    // the code alone
)

// Join returns the program that is run for code.
func Join(task *benchmark.Task, code string, how Assembly) string {
	code = strings.ReplaceAll(strings.TrimPrefix(code, "\ufeff"), "\r\n", "\n")
	if task.Tests.Style == benchmark.Stdin {
		code = source.Alone(task.Language, code)
	} else if task.Language == "python" {
		code = ownTests.ReplaceAllString(code, "")
	}
	switch {
	case task.Prompt == "" || how == Program:
	case task.Language == "python":
		code = assemblePython(task, code, how)
	case how == Completion:
		code = task.Prompt + code
	default:
		code = whole(task, code)
	}
	return before(code, task.Tests.Helpers())
}

// ownTests matches the call by which a file in Python runs its own tests, and exits.
var ownTests = regexp.MustCompile(`(?m)^unittest\.main\([^()\n]*\)\s*\z`)

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

// HasCode reports whether code has more than comments.
func HasCode(language, code string) bool {
	for line := range strings.Lines(code) {
		if text := strings.TrimLeft(line, " \t\r\n\ufeff"); text != "" && !strings.ContainsRune("#/*-%;(", rune(text[0])) {
			return true
		}
	}
	p, parsed := source.Parse(language, code)
	return strings.TrimSpace(code) != "" && !(parsed && p.Empty())
}

// whole joins a prompt and a whole function or file in a language other than Python. What the prompt leaves open is the
// answer's: a function, and in some languages a class around it. The file's own class may have another name.
func whole(task *benchmark.Task, code string) string {
	part := partOf(task, code)
	head, header, class := opening(task)
	part.Imports = slices.DeleteFunc(part.Imports, func(statement string) bool { // the tests' own stand before these
		return strings.Contains(task.Tests.Setup, strings.TrimPrefix(statement, "import "))
	})
	if class != "" {
		part.Text = source.InClass(task.Language, part.Text, task.EntryPoint, class, header)
	}
	head, text := source.Once(task.Language, head, part)
	return head + text
}

// partOf returns an answer's file as a part of a program with the task's tests.
func partOf(task *benchmark.Task, code string) source.File {
	taken := source.Names(task.Language, task.Tests.Setup+task.Tests.Script)
	return source.Part(task.Language, code, task.EntryPoint, taken)
}

// Noted adds to a sentence about how an answer's code was found what is changed in it so that tests can follow.
func Noted(note string, task *benchmark.Task, code string) string {
	if task == nil || note == "" || code == "" || task.Prompt == "" || task.Language == "python" || task.Tests.Style == benchmark.Stdin {
		return note
	}
	if did := partOf(task, code).Did; len(did) > 0 {
		return strings.TrimSuffix(note, ".") + "; " + strings.Join(did, "; ") + "."
	}
	return note
}

// opening returns the part of a prompt before the function that it leaves open, and the header and name of the class
// that it leaves open, if there is one.
func opening(task *benchmark.Task) (head, header, class string) {
	lines := strings.Split(strings.TrimRight(task.Prompt, " \t\r\n"), "\n")
	for i, line := range lines {
		if m := openClass.FindStringSubmatch(line); m != nil && source.Unclosed(task.Language, strings.Join(lines[i:], "\n")) > 0 {
			return strings.Join(append(lines[:i:i], ""), "\n"), line, m[2]
		}
	}
	if last := lines[len(lines)-1]; strings.HasSuffix(last, "{") {
		return strings.Join(append(lines[:len(lines)-1:len(lines)-1], ""), "\n"), "", ""
	}
	if e := language.Find(task.Language); e != nil {
		return task.Prompt[:e.DeclaredAt(task.Prompt)], "", ""
	}
	return task.Prompt, "", ""
}

// ScriptAfter returns the part of a script's tests that follows the program. Tests that were written for completions
// begin by closing what the prompt left open; a whole function or file is closed.
func ScriptAfter(task *benchmark.Task, how Assembly) string {
	script := task.Tests.Script
	if how == Completion || task.Language == "python" {
		return script
	}
	for left := -source.Unclosed(task.Language, script); left > 0; left-- {
		first, rest, _ := strings.Cut(strings.TrimLeft(script, "\r\n"), "\n")
		if strings.TrimSpace(first) != "}" {
			break
		}
		script = rest
	}
	return script
}

// openClass matches the header of a class or object, which prompts of Java, C# and Scala leave open.
var openClass = regexp.MustCompile(`^\s*(?:public\s+)?(class|object)\s+(\w+)[^{]*\{`)
