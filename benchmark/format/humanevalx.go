package format

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"assay/benchmark"
	"assay/benchmark/statement"
)

// humanEvalXLanguages maps the first part of a task's id to its language, with a pattern for the name of
// the last declared function.
var humanEvalXLanguages = map[string]struct {
	language string
	name     *regexp.Regexp
}{
	"Python":     {"python", regexp.MustCompile(`def\s+(\w+)\s*\(`)},
	"JavaScript": {"javascript", regexp.MustCompile(`(?:const|let|var|function)\s+(\w+)\s*[=(]`)},
	"Go":         {"go", regexp.MustCompile(`func\s+(\w+)\s*\(`)},
	"CPP":        {"cpp", regexp.MustCompile(`(\w+)\s*\([^()]*\)\s*\{`)},
	"Java":       {"java", regexp.MustCompile(`public\s[^(]*\s(\w+)\s*\(`)},
	"Rust":       {"rust", regexp.MustCompile(`\bfn\s+(\w+)`)},
}

// The harness of HumanEval-X puts imports before every program; those of Go the judge adds itself.
const (
	humanEvalXPython = `import math, re, sys, copy, datetime, itertools, collections, heapq, statistics, functools, hashlib, string
from typing import *
from collections import *
` + optionalNumPy
	humanEvalXCPP = `#include <stdlib.h>
#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <vector>
#include <string>
#include <climits>
#include <cstring>
#include <iostream>
`
)

// optionalNumPy imports NumPy as far as it is installed. An answer that uses it is judged only where it is.
const optionalNumPy = `try:
    import numpy, numpy as np
except ImportError:
    pass
`

// humanEvalXTask reads a task of HumanEval-X. Python's tests are a check function.
// In the other languages program and tests are one script.
func humanEvalXTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	values := map[string]string{}
	for _, field := range []struct {
		name     string
		required bool
	}{{"task_id", true}, {"prompt", true}, {"declaration", true}, {"test", true}, {"canonical_solution", false},
		{"test_setup", false}, {"import", false}, {"text", false}, {"docstring", false}} {
		value, err := l.text(fields, field.name, field.required)
		if err != nil {
			return nil, err
		}
		if field.required && strings.TrimSpace(value) == "" {
			return nil, l.fail(field.name, "the field is empty: fill it in")
		}
		values[field.name] = value
	}
	prefix, _, _ := strings.Cut(values["task_id"], "/")
	l10n, known := humanEvalXLanguages[prefix]
	if !known {
		return nil, l.fail("task_id", fmt.Sprintf("%q is of no known language: the id begins with Python/, JavaScript/, Go/, CPP/, Java/ or Rust/", values["task_id"]))
	}
	names := l10n.name.FindAllStringSubmatch(values["declaration"], -1)
	if len(names) == 0 {
		return nil, l.fail("declaration", "the field declares no function")
	}
	task := &benchmark.Task{ID: values["task_id"], Language: l10n.language, EntryPoint: names[len(names)-1][1],
		Prompt: values["prompt"], Description: statement.Dedented(values["text"])}
	task.Title = task.EntryPoint
	switch l10n.language {
	case "python":
		if !strings.Contains(values["test"], "def check") {
			return nil, l.fail("test", "the tests define no function check")
		}
		task.Tests = benchmark.Tests{Style: benchmark.Check, Setup: humanEvalXPython, Check: callOfCheck.ReplaceAllString(values["test"], "")}
		var described string
		if task.Signature, described = describe(task.Prompt, task.EntryPoint); task.Description == "" {
			task.Description = described
		}
	default:
		task.Tests = benchmark.Tests{Style: benchmark.Script, Script: values["test"], Setup: values["test_setup"]}
		described, declared := statement.Comments(task.Prompt)
		_, task.Signature.Code = statement.Comments(cmp.Or(declared, values["declaration"]))
		task.Description = cmp.Or(task.Description, described)
	}
	switch l10n.language {
	case "javascript":
		task.Tests.Setup = throwingAssert
	case "cpp":
		task.Tests.Setup = humanEvalXCPP
	case "go":
		task.Tests.Setup = values["test_setup"] + "\n"
		// The imports are those of the reference solution. The judge adds the imports that a program needs,
		// as this dataset's own harness does.
		task.Prompt = strings.TrimLeft(strings.Replace(task.Prompt, values["import"], "", 1), "\n")
	case "rust": // whose prompt is only the comment
		task.Prompt += rustCrates.ReplaceAllString(values["declaration"], "")
		task.Tests.Script = rustTests(values["test"])
	}
	if body := values["canonical_solution"]; body != "" {
		task.Reference = task.Prompt + body
	}
	return task, nil
}

// callOfCheck matches the line that calls the check function; the judge calls it instead.
var callOfCheck = regexp.MustCompile(`(?m)^check\(\w+\)[ \t]*$`)

// throwingAssert makes a failed console.assert end the script; by default it only prints.
const throwingAssert = "console.assert = (ok, ...said) => { if (!ok) throw new Error('assertion failed ' + said.join(' ')); };\n"

// rustCrates matches imports of the crates that the dataset's own Cargo.toml adds, and few of its tasks use.
var rustCrates = regexp.MustCompile(`(?m)^use (?:rand|regex|md5)\b.*;\n`)

var rustTest = regexp.MustCompile(`#\[test\]\s*fn\s+(\w+)`)

// rustTests returns a module of tests with a main function that runs them, as `cargo test` does.
func rustTests(module string) string {
	var main strings.Builder
	for _, m := range rustTest.FindAllStringSubmatch(module, -1) {
		fmt.Fprintf(&main, "    tests::%s();\n", m[1])
	}
	module = rustTest.ReplaceAllString(strings.Replace(module, "#[cfg(test)]", "", 1), "pub fn $1")
	return module + "\nfn main() {\n" + main.String() + "}\n"
}
