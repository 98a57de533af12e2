package format

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/source"
	"assay/benchmark/statement"
	"assay/data/language"
)

// leetCodeCLIFields are the fields that are used of a problem in the cache of LeetCode's command line (skygragon/leetcode-cli, and
// the editors that contain it): one file for each problem.
var leetCodeCLIFields = []string{"id", "fid", "name", "slug", "link", "percent", "level", "desc", "templates"}

var (
	methodOf    = regexp.MustCompile(`(?m)^[ \t]+def (\w+)\s*\(\s*self\b`)
	ownClasses  = regexp.MustCompile(`\b(?:ListNode|TreeNode|Node)\b`)
	severalOK   = regexp.MustCompile(`(?i)\bany (?:order|valid|of them|one of)\b|\bmultiple (?:answers|solutions)\b|\bin-place\b|\bwithin 10`)
	exampleName = regexp.MustCompile(`^\w+$`)
)

// leetCodeImports are what LeetCode imports before a program in Python.
const leetCodeImports = "import bisect, collections, functools, heapq, itertools, math, random, re, string\nfrom typing import *\nfrom collections import *\n" +
	"from functools import *\nfrom itertools import *\nfrom heapq import *\nfrom bisect import *\nfrom math import *\n\n"

// leetCodeCLITask reads a problem. Its tests are the examples of its statement, since LeetCode keeps all others: where an example is
// no plain call with one right value, the task has no tests. The language is Python, or the first that can be judged.
func leetCodeCLITask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "slug"
	v, err := l.texts(fields, []string{"slug", "name", "desc"}, []string{"level", "link"})
	if err != nil {
		return nil, err
	}
	var templates []struct {
		Value string `json:"value"`
		Code  string `json:"defaultCode"`
	}
	if err := l.inner(fields, "templates", "a list of objects with value and defaultCode", &templates); err != nil {
		return nil, err
	}
	task := &benchmark.Task{ID: v["slug"], Title: v["name"], Description: fromHTML(v["desc"]), Source: benchmark.Source{Title: "LeetCode", URL: v["link"]},
		Difficulty: benchmark.Difficulty(strings.ToLower(v["level"]))}
	if task.Difficulty != "" && !slices.Contains(benchmark.Difficulties[:], task.Difficulty) {
		return nil, l.fail("level", fmt.Sprintf("%q is not known: write Easy, Medium or Hard", v["level"]))
	}
	if err := l.leetCodeAcceptance(task, fields); err != nil {
		return nil, err
	}
	for _, t := range templates {
		name := language.Named(strings.TrimSuffix(t.Value, "3"))
		if name != "" && (task.Language == "" || name == "python") {
			task.Language, task.Signature.Code = name, strings.TrimSpace(strings.ReplaceAll(t.Code, "\r\n", "\n"))
		}
	}
	if task.Language == "" {
		return nil, l.unusable(v["slug"], "templates", "there is no starter code in a language that can be judged: 'assay doctor' lists the languages")
	}
	statement.Split(task)
	leetCodeExamples(task)
	return task, nil
}

// leetCodeExamples makes tests of a task's examples if each of them is a plain call.
func leetCodeExamples(task *benchmark.Task) {
	method := methodOf.FindStringSubmatch(task.Signature.Code)
	if task.Language != "python" || method == nil || len(task.Examples) == 0 || ownClasses.MatchString(task.Signature.Code) || severalOK.MatchString(task.Description) {
		return
	}
	var check strings.Builder
	check.WriteString("true, false, null = True, False, None\n\ndef check(candidate):\n")
	for _, e := range task.Examples {
		for _, argument := range source.AtCommas(e.Input, "[{", "]}") {
			name, value, named := strings.Cut(argument, "=")
			if !named || !exampleName.MatchString(strings.TrimSpace(name)) || !json.Valid([]byte(value)) {
				return
			}
		}
		if !json.Valid([]byte(e.Output)) {
			return
		}
		fmt.Fprintf(&check, "    assert candidate(%s) == %s\n", strings.ReplaceAll(e.Input, "\n", " "), e.Output)
	}
	task.EntryPoint, task.Prompt = "Solution", leetCodeImports
	task.Tests = benchmark.Tests{Style: benchmark.Check, Check: check.String() + fmt.Sprintf(callOfMethod, method[1])}
}

var (
	htmlPower = regexp.MustCompile(`(?i)<sup>`)
	htmlItem  = regexp.MustCompile(`(?i)\s*<li[^>]*>\s*`)
	htmlEnd   = regexp.MustCompile(`(?i)<br\s*/?>|</(?:p|pre|div|li|ul|ol|h\d)>`)
	htmlTag   = regexp.MustCompile(`(?s)<[^>]*>`)
)

// fromHTML returns the text of a statement, which newer versions of the command line keep in HTML.
func fromHTML(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.Contains(text, "</") {
		return strings.TrimSpace(text)
	}
	for _, r := range []struct {
		tag *regexp.Regexp
		by  string
	}{{htmlPower, "^"}, {htmlItem, "\n- "}, {htmlEnd, "\n"}, {htmlTag, ""}} {
		text = r.tag.ReplaceAllString(text, r.by)
	}
	return strings.TrimSpace(html.UnescapeString(text))
}
