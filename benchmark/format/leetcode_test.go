package format

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
)

func testdata(t testing.TB, name string) string {
	t.Helper()
	text := fatal.Read(t, "testdata/"+name)
	return string(text)
}

func TestLoadLeetCode(t *testing.T) {
	b, err := load("testdata/leetcode.jsonl")
	fatal.If(t, err)
	for i := range b.Tasks {
		if err := b.Tasks[i].Check(); err != nil {
			t.Error(err)
		}
	}
	task := b.Tasks[0]
	if task.ID != "count-the-even-numbers" || task.EntryPoint != "Solution" || task.Tests.Style != benchmark.Check ||
		task.Difficulty != benchmark.Easy || task.Published != "2025-02-03" || task.Source.Year != 2025 || task.Source.Chapter != "9001" {
		t.Errorf("%+v", task)
	}
	if !slices.Equal(task.Topics, []string{"array", "heap (priority queue)"}) {
		t.Errorf("topics %q", task.Topics)
	}
	if task.SignatureText() != "class Solution:\n    def count(self, nums: List[int]) -> int:" || !strings.HasPrefix(task.Description, "How many") {
		t.Errorf("signature %q, description %q", task.SignatureText(), task.Description)
	}
	if !strings.Contains(task.Prompt, "try:\n    from sortedcontainers import SortedList\nexcept ImportError:\n    pass\nfrom typing") {
		t.Errorf("the package is not optional: %q", task.Prompt)
	}
	if !strings.HasPrefix(task.Reference, task.Prompt) || !strings.Contains(task.Tests.Check, "candidate().count(*args") {
		t.Errorf("%q %q", task.Reference, task.Tests.Check)
	}
	for i, inProcess := range []bool{false, false, true} { // numbers; a list as result; a list as argument
		if b.Tasks[i].Tests.InProcess != inProcess {
			t.Errorf("%s: in process %v", b.Tasks[i].ID, !inProcess)
		}
	}
}

// TestLeetCodeAcceptance: LeetCode's share of accepted submissions is the human pass rate, by which Su et al. weigh questions.
func TestLeetCodeAcceptance(t *testing.T) {
	text := testdata(t, "leetcode.jsonl")
	for field, want := range map[string]float64{`"acRate": 52.3`: 0.523, `"acceptance_rate": "7%"`: 0.07, `"acRate": 0`: 0, `"acRate": 100`: 1, `"acceptance_rate": null`: -1} {
		b, err := loadText(t, strings.Replace(text, `"question_id": 9001`, field+`, "question_id": 9001`, 1))
		fatal.If(t, err)
		if got := b.Tasks[0].HumanPassRate; (got == nil) != (want < 0) || got != nil && *got != want {
			t.Errorf("%s: %v, want %v", field, got, want)
		}
		if b.Tasks[1].HumanPassRate != nil {
			t.Errorf("%s: the second task has a rate", field)
		}
	}
}

func TestLeetCodeErrors(t *testing.T) {
	text := testdata(t, "leetcode.jsonl")
	for _, tt := range []struct{ old, new, want string }{
		{`"Solution().countTo"`, `"countTo"`, `:2: field "entry_point": "countTo" is not a method of a new object: write Solution().method`},
		{`"Hard"`, `"Brutal"`, `:2: field "difficulty": "Brutal" is not known: write Easy, Medium or Hard`},
		{`"2024-08"`, `"08/2024"`, `:2: field "estimated_date": "08/2024" is not a date: write 2024-08-11`},
		{`"tags": []`, `"tags": "Array"`, `:2: field "tags": the field must be a list of texts`},
		{`"question_id": 9002`, `"acRate": 101, "question_id": 9002`, `:2: field "acRate": "101" is not a percentage from 0 to 100: write 52.3`},
		{`"question_id": 9002`, `"acceptance_rate": "half", "question_id": 9002`, `:2: field "acceptance_rate": "\"half\"" is not a percentage`},
		{`"question_id": 9002`, `"acRate": NaN, "question_id": 9002`, `:2:`},
		{`"question_id": 9002`, `"question_id": "9002"`, `:2: field "question_id": the field must be a whole number`},
		{`"test": "def check(candidate):\n    assert is`, `"test": "def test(candidate):\n    assert is`, `:2: field "test": the tests define no function check(candidate): add it`},
		{`"completion": "class Solution:\n    def countTo`, `"solution": "class Solution:\n    def countTo`, `:2: field "completion": the field is missing`},
		{`"starter_code": "class Solution:\n    def countTo(self, n: int) -> Optional[ListNode]:\n        "`, `"starter_code": " "`, `:2: field "starter_code": the field is empty`},
	} {
		changed := strings.Replace(text, tt.old, tt.new, 1)
		if changed == text {
			t.Fatalf("%s is not in the file", tt.old)
		}
		if _, err := loadText(t, changed); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.new, err, tt.want)
		}
	}
}
