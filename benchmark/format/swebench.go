package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/benchmark"
	"assay/data/disk"
	"assay/data/language"
)

// sweBenchTask reads an instance of SWE-bench (also Lite, Verified and Multilingual). Commands and packages
// are not in it: they are found by repository and version.
func sweBenchTask(l *lines, fields map[string]json.RawMessage) (*benchmark.Task, error) {
	l.id = "instance_id"
	values, err := l.texts(fields, []string{"instance_id", "repo", "base_commit", "problem_statement", "patch"}, []string{"test_patch", "created_at", "image"})
	if err != nil {
		return nil, err
	}
	version, err := l.sweBenchVersion(fields)
	if err != nil {
		return nil, err
	}
	failToPass, err := l.testIDs(fields, "FAIL_TO_PASS")
	if err != nil {
		return nil, err
	}
	passToPass, err := l.testIDs(fields, "PASS_TO_PASS")
	if err != nil {
		return nil, err
	}
	if len(failToPass) == 0 {
		return nil, l.unusable(values["instance_id"], "FAIL_TO_PASS", "the list is empty: without a test that fails before the change, an answer that changes nothing of use passes; add one or remove the instance")
	}
	date := values["created_at"]
	if published := benchmark.Date(date[:min(len(date), 10)]); published.Valid() {
		date = string(published)
	} else {
		return nil, l.fail("created_at", fmt.Sprintf("%q does not begin with a date: write 2023-01-23T13:45:00Z", clip(date)))
	}
	title, _, _ := strings.Cut(strings.TrimSpace(values["problem_statement"]), "\n")
	return &benchmark.Task{
		ID: values["instance_id"], Title: cmp.Or(clip(strings.TrimSpace(title)), values["instance_id"]), Language: patchLanguage(values["patch"]),
		Description: values["problem_statement"], Reference: values["patch"], Published: benchmark.Date(date),
		Source: benchmark.Source{Title: "SWE-bench", URL: pullRequest(values["repo"], values["instance_id"])},
		Repository: &benchmark.Repository{Name: values["repo"], Version: version, BaseCommit: values["base_commit"], TestPatch: values["test_patch"],
			Apply: benchmark.ApplyInTurn, FailToPass: failToPass, PassToPass: without(passToPass, failToPass), Environment: benchmark.Environment{Image: values["image"]}},
	}, nil
}

// without returns the ids of a list that are not in another.
func without(ids, others []string) []string {
	other := map[string]bool{}
	for _, id := range others {
		other[id] = true
	}
	var rest []string
	for _, id := range ids {
		if !other[id] {
			rest = append(rest, id)
		}
	}
	return rest
}

// sweBenchVersion reads the version, which some files have as a number.
func (l *lines) sweBenchVersion(fields map[string]json.RawMessage) (string, error) {
	raw, ok := fields["version"]
	if !ok || bytes.Equal(raw, []byte("null")) {
		return "", nil
	}
	if raw[0] != '"' && raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return "", l.fail("version", "the field must be text or a number, not "+kindOf(raw))
	}
	return bare(raw), nil
}

// testIDs reads a list of tests: a JSON list, or as text a JSON list or one in Python's notation.
func (l *lines) testIDs(fields map[string]json.RawMessage, field string) ([]string, error) {
	raw, ok := fields[field]
	if !ok {
		return nil, l.fail(field, "the field is missing: add it, as a list of tests")
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil && list != nil {
		return list, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if strings.TrimSpace(text) == "" {
			return nil, nil
		}
		if json.Unmarshal([]byte(text), &list) == nil && list != nil {
			return list, nil
		}
		if list, ok := pythonList(text); ok {
			return list, nil
		}
	}
	return nil, l.fail(field, "the field must be a list of texts, or such a list as text in JSON or in Python's notation")
}

// pythonList reads a list of Python's string literals.
func pythonList(text string) (list []string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return nil, false
	}
	list = []string{}
	rest := strings.TrimSpace(text[1 : len(text)-1])
	for rest != "" {
		quote := rest[0]
		if quote != '\'' && quote != '"' {
			return nil, false
		}
		var b strings.Builder
		i := 1
		for ; i < len(rest) && rest[i] != quote; i++ {
			if rest[i] != '\\' || i+1 == len(rest) {
				b.WriteByte(rest[i])
				continue
			}
			i++
			switch at := strings.IndexByte(`ntr\'"`, rest[i]); {
			case at >= 0:
				b.WriteByte("\n\t\r\\'\""[at])
			default: // Python keeps unknown escapes
				b.WriteByte('\\')
				b.WriteByte(rest[i])
			}
		}
		if i == len(rest) {
			return nil, false
		}
		list = append(list, b.String())
		rest = strings.TrimSpace(rest[i+1:])
		if rest != "" {
			if rest[0] != ',' {
				return nil, false
			}
			rest = strings.TrimSpace(rest[1:])
		}
	}
	return list, true
}

// patchLanguage returns the language of most files that a patch changes; python if none is known.
func patchLanguage(diff string) string {
	counts, best := map[string]int{}, "python"
	for line := range strings.Lines(diff) {
		name, found := strings.CutPrefix(strings.TrimSpace(line), "+++ b/")
		if !found {
			continue
		}
		if written := language.OfFile(name); written != "" {
			if counts[written]++; counts[written] > counts[best] {
				best = written
			}
		}
	}
	return best
}

// pullRequest returns the address of the pull request that an instance is made of.
func pullRequest(repo, id string) string {
	at := strings.LastIndex(id, "-")
	if at < 0 || strings.Trim(id[at+1:], "0123456789") != "" || id[at+1:] == "" {
		return ""
	}
	return "https://github.com/" + repo + "/pull/" + id[at+1:]
}

// The files of a task's folder, as SWE-bench 5 writes them: tasks/ID/task.yaml and texts beside it.
const (
	sweBenchTasks = "tasks"
	sweBenchMeta  = "task.yaml"
)

// isSWEBenchFolder reports whether a folder has tasks as SWE-bench 5 writes them, or is one of them.
func isSWEBenchFolder(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, sweBenchMeta)); err == nil {
		return true
	}
	found, err := filepath.Glob(filepath.Join(escapeGlob(filepath.Join(dir, sweBenchTasks)), "*", sweBenchMeta))
	return err == nil && len(found) > 0
}

// escapeGlob escapes the special characters of a pattern.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// loadSWEBenchFolder reads the tasks of such a folder.
func loadSWEBenchFolder(dir string) (*benchmark.Benchmark, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", dir, err)
	}
	defer root.Close()
	folders := []string{"."}
	if _, err := root.Stat(sweBenchMeta); err != nil {
		if folders, err = fs.Glob(root.FS(), sweBenchTasks+"/*/"+sweBenchMeta); err != nil {
			return nil, fmt.Errorf("reading %s: %w", dir, err)
		}
		for i := range folders {
			folders[i] = path.Dir(folders[i])
		}
	}
	b := &benchmark.Benchmark{Version: benchmark.FormatVersion, Name: baseName(dir)}
	seen := map[string]string{}
	for _, folder := range folders {
		task, err := sweBenchFolder(root.FS(), dir, folder)
		if err != nil {
			if err := leaveOut(b, err); err != nil {
				return nil, err
			}
			continue
		}
		if other := seen[task.ID]; other != "" {
			return nil, fmt.Errorf("%s: field \"instance_id\": the id %q stands in %s already: ids must be unique", filepath.Join(dir, folder, sweBenchMeta), task.ID, other)
		}
		seen[task.ID] = folder
		b.Tasks = append(b.Tasks, *task)
	}
	return b, allLeftOut(b)
}

// sweBenchFolder reads the folder of one task, as an object with its files as fields.
func sweBenchFolder(files fs.FS, dir, folder string) (*benchmark.Task, error) {
	meta := path.Join(folder, sweBenchMeta)
	at := func(file, text string) error {
		return fmt.Errorf("%s: %s", filepath.Join(dir, folder, file), text)
	}
	text, err := disk.ReadFS(files, meta, disk.Table)
	if err != nil {
		return nil, at(sweBenchMeta, err.Error())
	}
	values := map[string]any{}
	if err := yaml.Unmarshal(text, &values); err != nil {
		return nil, at(sweBenchMeta, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if tests, err := disk.ReadFS(files, path.Join(folder, "tests.json"), disk.Table); err != nil {
		return nil, at("tests.json", fmt.Sprintf("a task's folder has this file with FAIL_TO_PASS and PASS_TO_PASS, and it cannot be read: %v", err))
	} else if err := json.Unmarshal(tests, &values); err != nil {
		return nil, at("tests.json", fmt.Sprintf("this is not a JSON object: %v", err))
	}
	for _, f := range []struct {
		field, file string
		required    bool
	}{
		{"patch", "gold.patch", true}, {"test_patch", "test.patch", true}, {"problem_statement", "problem_statement.md", true},
		{"hints_text", "hints.md", false}, {"eval_script", "eval.sh", false}, {"dockerfile", "Dockerfile", false},
	} {
		text, err := disk.ReadFS(files, path.Join(folder, f.file), disk.Table)
		if errors.Is(err, fs.ErrNotExist) && !f.required {
			continue
		}
		if err != nil {
			return nil, at(f.file, fmt.Sprintf("the file cannot be read: %v", err))
		}
		values[f.field] = string(text)
	}
	fields := map[string]json.RawMessage{}
	for name, value := range values {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, at(sweBenchMeta, fmt.Sprintf("field %q cannot be written as JSON: %v", name, err))
		}
		fields[name] = raw
	}
	l := &lines{path: filepath.Join(dir, folder, sweBenchMeta), line: 1}
	task, err := sweBenchTask(l, fields)
	if err != nil {
		return nil, err
	}
	keepExtra(task, fields, sweBenchFields)
	return task, l.checked(task)
}

// sweBenchFields are the fields that tasks keep in fields of their own.
var sweBenchFields = []string{"instance_id", "repo", "base_commit", "problem_statement", "patch", "test_patch", "version", "FAIL_TO_PASS", "PASS_TO_PASS", "image"}
