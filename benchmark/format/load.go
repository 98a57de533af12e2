package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"assay/benchmark"
)

// Format is the name of a format of task files.
type Format string

// The formats of task files other than other tools' JSON.
const (
	Assay Format = "assay"
	CSV   Format = "csv"
)

// The JSON formats of task files: one object on each line, or a list of objects.
const (
	HumanEval     Format = "humaneval" // also MBPP (sanitized) in HumanEval's format, as in CodeT
	HumanEvalX    Format = "humaneval-x"
	EvalPlus      Format = "evalplus" // HumanEval+ and MBPP+
	MBPP          Format = "mbpp"
	MultiPLE      Format = "multipl-e"
	APPS          Format = "apps"
	LeetCode      Format = "leetcode" // LeetCodeDataset
	LeetCodeCLI   Format = "leetcode-cli"
	LiveCodeBench Format = "livecodebench"
	CodeContests  Format = "codecontests"
	Codeforces    Format = "codeforces" // rows of open-r1/codeforces
	ClassEval     Format = "classeval"
	BigCodeBench  Format = "bigcodebench"
	DS1000        Format = "ds-1000"
	MiahZhu       Format = "miah-zhu"
	SWEBench      Format = "swe-bench" // also one folder for each task

	LiveCodeBenchExecution Format = "livecodebench-execution" // the data set execution-v2
	LiveCodeBenchOutput    Format = "livecodebench-output"    // the data set test_generation
	CRUXEval               Format = "cruxeval"                // output prediction
	CRUXEvalInput          Format = "cruxeval-input"          // input prediction, with the same rows: never detected
)

// reader reads the tasks of one format.
type reader struct {
	format Format
	// knows reports whether an object is in this format; readers are asked in order.
	knows func(fields map[string]json.RawMessage) bool
	read  func(l *lines, fields map[string]json.RawMessage) ([]*benchmark.Task, error)
	uses  []string // the fields that it uses; tasks keep the others as Extra
}

var readers = [...]reader{
	{SWEBench, has("instance_id", "base_commit"), singleTask(sweBenchTask), sweBenchFields},
	{EvalPlus, has("base_input"), singleTask(evalPlusTask),
		[]string{"task_id", "prompt", "entry_point", "canonical_solution", "base_input", "plus_input", "atol"}},
	{HumanEvalX, func(fields map[string]json.RawMessage) bool {
		return fields["declaration"] != nil && fields["entry_point"] == nil
	}, singleTask(humanEvalXTask),
		[]string{"task_id", "prompt", "declaration", "test", "canonical_solution", "test_setup", "import", "text", "docstring"}},
	{MultiPLE, func(fields map[string]json.RawMessage) bool {
		return fields["stop_tokens"] != nil || fields["prompt_terminology"] != nil
	}, singleTask(multiPLETask), []string{"name", "language", "prompt", "tests", "test"}},
	{APPS, has("question", "input_output"), singleTask(appsTask),
		[]string{"problem_id", "id", "question", "solutions", "input_output", "difficulty", "url", "starter_code"}},
	{LiveCodeBench, has("question_content", "public_test_cases"), singleTask(liveCodeBenchTask),
		[]string{"question_title", "question_content", "question_id", "contest_date", "starter_code", "difficulty", "public_test_cases", "private_test_cases"}},
	{LiveCodeBenchOutput, has("question_content", "test_id"), singleTask(liveCodeBenchOutput), liveCodeBenchOutputFields},
	{LiveCodeBenchExecution, has("code", "input", "function_name"), singleTask(liveCodeBenchExecution), liveCodeBenchExecutionFields},
	{CRUXEval, has("code", "input", "output"), singleTask(cruxEvalOutput), cruxEvalFields},
	{CRUXEvalInput, func(map[string]json.RawMessage) bool { return false }, singleTask(cruxEvalInput), cruxEvalFields},
	{CodeContests, has("description", "public_tests"), singleTask(codeContestsTask),
		[]string{"name", "description", "public_tests", "private_tests", "generated_tests", "time_limit", "memory_limit_bytes", "solutions", "source", "cf_tags"}},
	{Codeforces, has("description", "official_tests"), singleTask(codeforcesTask), codeforcesFields},
	{LeetCode, has("starter_code", "entry_point"), singleTask(leetCodeTask),
		[]string{"task_id", "question_id", "difficulty", "tags", "problem_description", "starter_code", "estimated_date", "prompt", "completion", "entry_point", "test"}},
	{LeetCodeCLI, has("slug", "templates", "desc"), singleTask(leetCodeCLITask), leetCodeCLIFields},
	{ClassEval, has("class_name", "methods_info"), classEvalTasks,
		[]string{"task_id", "skeleton", "test", "solution_code", "class_name", "methods_info"}},
	{BigCodeBench, has("complete_prompt", "test"), singleTask(bigCodeBenchTask),
		[]string{"task_id", "complete_prompt", "instruct_prompt", "canonical_solution", "test", "entry_point"}},
	{DS1000, has("code_context", "prompt"), singleTask(ds1000Task), []string{"prompt", "reference_code", "code_context"}},
	{MBPP, has("test_list", "code"), singleTask(mbppTask),
		[]string{"task_id", "text", "prompt", "code", "test_list", "test_setup_code", "test_imports"}},
	{MiahZhu, has("ID", "Type"), singleTask(miahZhuTask), []string{"ID", "Type", "Difficulty", "Language"}},
	{HumanEval, has("task_id", "prompt"), singleTask(humanEvalTask),
		[]string{"task_id", "prompt", "entry_point", "test", "canonical_solution"}},
}

// has recognises a format by a combination of fields that only it has.
func has(names ...string) func(map[string]json.RawMessage) bool {
	return func(fields map[string]json.RawMessage) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return fields[name] == nil })
	}
}

// singleTask wraps a reader of objects with one task each.
func singleTask(read func(*lines, map[string]json.RawMessage) (*benchmark.Task, error)) func(*lines, map[string]json.RawMessage) ([]*benchmark.Task, error) {
	return func(l *lines, fields map[string]json.RawMessage) ([]*benchmark.Task, error) {
		task, err := read(l, fields)
		return []*benchmark.Task{task}, err
	}
}

// Formats lists the names of all formats that [LoadAs] reads.
func Formats() []Format {
	names := []Format{Assay, CSV, Harbor, TerminalBench, Kattis, Polygon}
	for _, r := range readers {
		names = append(names, r.format)
	}
	slices.Sort(names)
	return names
}

// LoadAs reads a benchmark in the given format or, if that is empty, in the format detected from the start
// of the file, and returns the format.
func LoadAs(path string, as Format) (*benchmark.Benchmark, Format, error) {
	if as != "" && !slices.Contains(Formats(), as) {
		return nil, as, fmt.Errorf("%q is not a task format; the formats are %s", as, formatNames())
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if b, kind, err := detectDirectories(path, as); b != nil || err != nil {
			return b, kind, err
		}
		if as == SWEBench || as == "" && isSWEBenchFolder(path) {
			b, err := loadSWEBenchFolder(path)
			return b, SWEBench, err
		}
		if as != "" && as != Assay {
			return nil, as, fmt.Errorf("%s is a folder, which only the formats assay, harbor, kattis, polygon, swe-bench and terminal-bench support: name a file", path)
		}
		b, err := benchmark.Load(path)
		return b, Assay, err
	}
	f, err := open(path)
	if err != nil {
		return nil, as, err
	}
	defer f.Close()
	shape, err := shapeOf(f)
	if err != nil {
		return nil, as, fmt.Errorf("reading %s: %w", path, err)
	}
	switch {
	case (as == Assay || as == "" && shape == ownShape) && f.zipped:
		return nil, Assay, fmt.Errorf("%s is compressed, but assay's own format must be uncompressed: unpack it, for example with gunzip", path)
	case as == Assay || as == "" && shape == ownShape:
		b, err := benchmark.Load(path)
		return b, Assay, err
	case as == CSV || as == "" && shape == csvShape:
		b, err := readCSV(path, f)
		return b, CSV, err
	}
	l := &lines{path: path, file: f}
	if shape == documentShape {
		l.doc = newDocument(f)
	}
	return readTasks(l, as)
}

func formatNames() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// shape is the structure of a file.
type shape int

const (
	linesShape    shape = iota // JSON Lines, or unknown
	documentShape              // JSON over several lines, or a list
	csvShape                   // a table whose header names the columns of tasks
	ownShape                   // assay's own format
)

// shapeOf inspects the start of a file. Assay's format is one object, usually over many lines, with the
// field "assay_benchmark"; JSON Lines have a complete object on the first line.
func shapeOf(f *opened) (shape, error) {
	head, err := f.Peek(f.Size())
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return linesShape, errors.New(f.broken(err))
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	first, _, more := bytes.Cut(head, []byte("\n"))
	first = bytes.TrimSpace(first)
	switch {
	case len(first) == 0:
		return linesShape, nil
	case first[0] == '[':
		return documentShape, nil
	case first[0] != '{':
		if comma, _ := csvDelimiter(first); comma != 0 {
			return csvShape, nil
		}
		return linesShape, nil
	}
	whole := json.Valid(first)
	marked := bytes.Contains(head, []byte(`"assay_benchmark"`))
	switch {
	case marked && !(whole && more && !bytes.Contains(first, []byte(`"assay_benchmark"`))) &&
		!bytes.Contains(first, []byte(`"canonical_solution"`)):
		return ownShape, nil
	case more && !whole && unfinished(first):
		return documentShape, nil
	}
	return linesShape, nil
}

// unfinished reports whether a line is the start of a JSON value that continues.
func unfinished(line []byte) bool {
	err := json.Unmarshal(withoutPythonNumbers(line), new(json.RawMessage))
	return err != nil && strings.Contains(err.Error(), "unexpected end of JSON input") && !bytes.HasSuffix(line, []byte("}"))
}
