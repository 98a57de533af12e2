package format

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

// A problem in the cache of LeetCode's command line, in text and in HTML, is a task whose tests are its examples.
func TestLeetCodeCLI(t *testing.T) {
	const text = "Add the numbers.\n\u00a0\nExample 1:\n\nInput: xs = [1,2], deep = true\nOutput: 3\nExplanation: 1 + 2.\n\nExample 2:\n\nInput: xs = [], deep = false\nOutput: 0\n\n\u00a0\nConstraints:\n\n0 <= xs.length <= 10^5\n"
	const page = "<p>Add the <code>numbers</code>.</p>\n<p>&nbsp;</p>\n<p><strong>Example 1:</strong></p>\n<pre>\n<strong>Input:</strong> xs = [1,2], deep = true\n<strong>Output:</strong> 3\n<strong>Explanation:</strong> 1 + 2.\n</pre>\n" +
		"<p><strong>Example 2:</strong></p>\n<pre>\n<strong>Input:</strong> xs = [], deep = false\n<strong>Output:</strong> 0\n</pre>\n<p>&nbsp;</p>\n<p><strong>Constraints:</strong></p>\n<ul>\n\t<li><code>0 &lt;= xs.length &lt;= 10<sup>5</sup></code></li>\n</ul>\n"
	template := func(language, code string) map[string]string {
		return map[string]string{"value": language, "text": language, "defaultCode": code}
	}
	python := template("python3", "class Solution:\r\n    def addUp(self, xs: List[int], deep: bool) -> int:\r\n        ")
	problem := func(desc string, templates ...map[string]string) string {
		line, err := json.Marshal(map[string]any{"id": 1, "fid": 1, "name": "Add Up", "slug": "add-up", "link": "https://leetcode.com/problems/add-up/", "percent": 45.5, "level": "Easy", "category": "algorithms",
			"desc": desc, "templates": templates, "testcase": "[1,2]\ntrue", "testable": true})
		fatal.If(t, err)
		return string(line)
	}
	for name, desc := range map[string]string{"text": text, "HTML": page} {
		b, err := loadText(t, problem(desc, template("cpp", "class Solution {}"), python))
		fatal.If(t, err)
		task := b.Tasks[0]
		want := "    assert candidate(xs = [1,2], deep = true) == 3\n    assert candidate(xs = [], deep = false) == 0\n"
		if task.Description != "Add the numbers." || len(task.Constraints) != 1 || task.Constraints[0] != "0 <= xs.length <= 10^5" || len(task.Examples) != 2 || task.Examples[0].Explanation != "1 + 2." ||
			task.Difficulty != benchmark.Easy || task.HumanPassRate == nil || *task.HumanPassRate != 0.455 || !strings.Contains(task.Tests.Check, want) || !strings.Contains(task.Tests.Check, "candidate().addUp(") ||
			task.SignatureText() != "class Solution:\n    def addUp(self, xs: List[int], deep: bool) -> int:" {
			t.Errorf("%s: %+v", name, task)
		}
	}
	for name, line := range map[string]string{
		"several answers":  problem("Add in any order.\n"+text[16:], python),
		"lists of nodes":   problem(text, template("python3", "class Solution:\n    def addUp(self, xs: Optional[ListNode]) -> int:")),
		"no plain value":   problem(strings.Replace(text, "Output: 3", "Output: three", 1), python),
		"another language": problem(text, template("cpp", "class Solution {\npublic:\n    int addUp() {\n    }\n};")),
	} {
		b, err := loadText(t, line)
		fatal.If(t, err)
		if b.Tasks[0].HasTests() {
			t.Errorf("%s: %+v", name, b.Tasks[0].Tests)
		}
	}
	if _, err := loadText(t, problem(text, template("cobol", ""))); err == nil || !strings.Contains(err.Error(), "templates") {
		t.Errorf("no language: %v", err)
	}
}
