package batch

import (
	"crypto/sha256"
	"encoding/hex"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/format"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
)

// Row is the result of one sample: a line of results.jsonl.
type Row struct {
	TaskID      string              `json:"task_id"`
	Sample      int                 `json:"sample"` // within the task, from 0
	Verdict     verdicts.Verdict    `json:"verdict"`
	PassedTests int                 `json:"passed_tests"`
	TotalTests  int                 `json:"total_tests"`
	FailedTests string              `json:"failed_tests,omitempty"` // their numbers from 1, as in "1-3,7"
	FirstFailed string              `json:"first_failed,omitempty"` // the first of them in words: call, expected and actual value
	CPUMS       int64               `json:"cpu_ms"`
	Allowed     *verdicts.Allowance `json:"allowed,omitempty"`
	WallMS      int64               `json:"wall_ms"`
	MemoryKB    int64               `json:"memory_kb"`
	Message     string              `json:"message,omitempty"`
	// How far an answer solves a repository task, files of it that were not its to change, and why a person has to
	// look at it although it is resolved.
	Resolution outcomes.Outcome `json:"resolution,omitempty"`
	PutBack    []string         `json:"put_back,omitempty"`
	ToReview   []string         `json:"to_review,omitempty"`

	RepeatsCall bool   `json:"repeats_call,omitempty"`    // see [verdicts.Result]
	Stopped     bool   `json:"stopped,omitempty"`         // at the first failing test case, as requested: some cases were not run
	MissingTool bool   `json:"missing_tool,omitempty"`    // not_judged because a tool is missing on that machine
	Extraction  string `json:"extraction"`                // how the code was found, or the kind of the sample
	Found       string `json:"extraction_note,omitempty"` // the same in words, of an answer
	// Candidates are the parts of an answer that may have been its code, if there are several.
	Candidates  []extract.Candidate `json:"candidates,omitempty"`
	Isolation   string              `json:"isolation,omitempty"`
	Enforcement map[string]string   `json:"enforcement,omitempty"`
	Interpreter string              `json:"interpreter,omitempty"`
	Library     string              `json:"library,omitempty"` // with the SHA-256 of its content

	// Worker is the fleet machine that judged the sample, and Assay its version.
	Worker string `json:"worker,omitempty"`
	Assay  string `json:"assay,omitempty"`

	// Content identifies the sample's text and the task that judged it. A result is reused only
	// if both are unchanged.
	Content string `json:"content"`
	Task    string `json:"task_hash,omitempty"` // identifies the task and its tests

	Rules format.Rules `json:"rules,omitempty"` // of another program, by which the task was judged

	Unreviewed bool `json:"unreviewed_prompts,omitempty"` // it answers a prompt that nobody reviewed

	Loads    bool      `json:"loads"`              // the program ran far enough for a test case
	Measures *Measures `json:"measures,omitempty"` // nil: not measured

	// Outputs describes the files that the task declares, without their content: that is under
	// outputs/ in the output directory.
	Outputs []verdicts.OutputFile `json:"outputs,omitempty"`
}

// key identifies a sample within a file.
type key struct {
	task   string
	sample int
}

// contentHash identifies a sample's kind and text together with its task.
func contentHash(taskHash, kind, text string) string {
	h := sha256.New()
	for _, part := range []string{taskHash, kind, text} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Of reports whether a result may be of a sample: not if the same task was judged with another text.
func (r *Row) Of(task *benchmark.Task, s format.Sample) bool {
	hash := task.Hash()
	return r.Task != hash[:16] || r.Content == contentHash(hash, string(s.Kind), s.Text)
}

// taskHashes computes each task's hash once.
func taskHashes(b *benchmark.Benchmark) (map[string]*benchmark.Task, map[string]string) {
	tasks, hashes := map[string]*benchmark.Task{}, map[string]string{}
	for i := range b.Tasks {
		t := &b.Tasks[i]
		tasks[t.ID], hashes[t.ID] = t, t.Hash()
	}
	return tasks, hashes
}
