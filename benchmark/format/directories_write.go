package format

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"assay/benchmark"
	"assay/benchmark/dockerfile"
	"assay/data/disk"
)

// Directories lists the formats that [WriteDirectories] writes.
func Directories() []Format { return []Format{Harbor, TerminalBench} }

// WriteDirectories writes tasks that are task directories into a new directory, each below its id, as directories of
// Harbor or terminal-bench. They are read back: it is an error if a task would change, which names the task and the
// field. With lossy only statement, environment, tests and solution have to be preserved.
func WriteDirectories(out string, b *benchmark.Benchmark, as Format, lossy bool) (err error) {
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: name a new directory", out)
	}
	if err := disk.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	making, err := os.MkdirTemp(filepath.Dir(out), ".assay-tasks-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(making)) }()
	for i := range b.Tasks {
		t := &b.Tasks[i]
		if t.Repository == nil || t.Repository.Directory == nil {
			return fmt.Errorf("task %q is no task directory of %s or %s, and cannot be written as one", t.ID, Harbor, TerminalBench)
		}
		if !filepath.IsLocal(t.ID) {
			return fmt.Errorf("task %q: the id is no name of a directory", t.ID)
		}
		if err := writeDirectory(filepath.Join(making, filepath.FromSlash(t.ID)), t, as); err != nil {
			return fmt.Errorf("task %q cannot be written as %s: %w", t.ID, as, err)
		}
	}
	if err := directoriesComeBack(making, b, as, lossy); err != nil {
		return err
	}
	if err := os.Chmod(making, 0o755); err != nil {
		return err
	}
	os.Remove(out) // an empty directory; if it is none, renaming fails
	return os.Rename(making, out)
}

// directoriesComeBack reads the directories back and compares the tasks.
func directoriesComeBack(dir string, b *benchmark.Benchmark, as Format, lossy bool) error {
	var names []string
	for i := range b.Tasks {
		names = append(names, b.Tasks[i].ID)
	}
	again, err := loadDirectories(dir, as, names)
	if err != nil {
		return fmt.Errorf("the tasks do not fit the format %s: %w", as, err)
	}
	for i := range b.Tasks {
		t := &b.Tasks[i]
		at := slices.IndexFunc(again.Tasks, func(other benchmark.Task) bool { return other.ID == t.ID || other.ID == path.Base(t.ID) })
		if at < 0 {
			return fmt.Errorf("task %q does not fit the format %s: %w", t.ID, as, again.FaultOf(t.ID))
		}
		other := &again.Tasks[at]
		field, err := changedField(t, other, lossy)
		if err != nil {
			return err
		}
		if field != "" {
			return fmt.Errorf("task %q does not fit the format %s: its field %q would be lost; allow that with --lossy", t.ID, as, field)
		}
	}
	return nil
}

// changedField names a field in which a task that was read back differs, or "".
func changedField(t, other *benchmark.Task, lossy bool) (string, error) {
	var plans [2]*dockerfile.Plan
	for i, t := range []*benchmark.Task{t, other} {
		plan, err := planOf(t)
		if err != nil {
			return "", fmt.Errorf("task %q: %w", t.ID, err)
		}
		plans[i] = plan
	}
	a, b := t.Repository.Directory, other.Repository.Directory
	for _, f := range []struct {
		name   string
		x, y   any
		needed bool
	}{
		{"description", strings.TrimSpace(t.Description), strings.TrimSpace(other.Description), true},
		{"the steps of the Dockerfile", plans[0], plans[1], true},
		{"the variables", withoutTestDir(a.Variables), withoutTestDir(b.Variables), true},
		{"the solution", a.Solution == "", b.Solution == "", true},
		{"difficulty", t.Difficulty, other.Difficulty, false}, {"category", t.Category, other.Category, false},
		{"topics", strings.Join(t.Topics, "\n"), strings.Join(other.Topics, "\n"), false},
		{"limits", t.Limits, other.Limits, false}, {"agent_time_seconds", a.AgentTimeSeconds, b.AgentTimeSeconds, false},
		{"title", t.Title, other.Title, false},
	} {
		if (f.needed || !lossy) && !reflect.DeepEqual(f.x, f.y) {
			return f.name, nil
		}
	}
	return "", nil
}

func withoutTestDir(variables map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, variables)
	delete(all, "TEST_DIR")
	return all
}

// planOf reads the Dockerfile of a task.
func planOf(t *benchmark.Task) (*dockerfile.Plan, error) {
	root, err := os.OpenRoot(t.Repository.Source)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	d := t.Repository.Directory
	text, err := disk.ReadFS(root.FS(), d.Dockerfile, disk.Document)
	if err != nil {
		return nil, err
	}
	context, err := fs.Sub(root.FS(), d.Context)
	if err != nil {
		return nil, err
	}
	return dockerfile.Read(d.Dockerfile, string(text), context)
}

// directoryWriter writes one task directory.
type directoryWriter struct {
	task *benchmark.Task
	from fs.FS // the directory that it was read from
	to   string
}

func writeDirectory(to string, t *benchmark.Task, as Format) error {
	root, err := os.OpenRoot(t.Repository.Source)
	if err != nil {
		return err
	}
	defer root.Close()
	w := &directoryWriter{t, root.FS(), to}
	switch {
	case Format(t.Repository.Directory.Kind) == as:
		return w.copy(".", ".")
	case as == Harbor:
		return w.harbor()
	}
	return w.terminalBench()
}

// copy copies a file or directory, without what is named.
func (w *directoryWriter) copy(from, to string, without ...string) error {
	return fs.WalkDir(w.from, from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains(without, name) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		below, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(name))
		if err != nil {
			return err
		}
		place := filepath.Join(w.to, to, below)
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch mode := info.Mode(); {
		case mode.IsDir():
			return os.MkdirAll(place, 0o755)
		case mode&fs.ModeSymlink != 0:
			target, err := fs.ReadLink(w.from, name)
			if err != nil {
				return err
			}
			return os.Symlink(target, place)
		}
		in, err := w.from.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		return disk.Create(place, info.Mode().Perm()|0o600, func(out io.Writer) error { _, err := io.Copy(out, in); return err })
	})
}

// put writes a text.
func (w *directoryWriter) put(name, text string) error {
	place := filepath.Join(w.to, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	if err := disk.Create(place, 0o644, disk.Bytes(text)); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is a file of the task and of the format; give the task's another name", name)
	} else if err != nil {
		return err
	}
	return nil
}

// has reports whether the directory has a file.
func (w *directoryWriter) has(name string) bool {
	_, err := fs.Stat(w.from, name)
	return err == nil
}

// harbor writes a task of terminal-bench as Harbor's.
func (w *directoryWriter) harbor() error {
	t, d := w.task, w.task.Repository.Directory
	config := map[string]any{"version": "1.0", "metadata": described(t)}
	table := func(name string, values map[string]any) {
		maps.DeleteFunc(values, func(_ string, v any) bool { return isEmpty(v) || reflect.ValueOf(v).IsZero() })
		if len(values) > 0 {
			config[name] = values
		}
	}
	table("verifier", map[string]any{"timeout_sec": t.Limits.WallSeconds, "env": anyOf(d.TestVariables)})
	table("agent", map[string]any{"timeout_sec": d.AgentTimeSeconds})
	table("environment", map[string]any{"memory_mb": t.Limits.MemoryMB, "env": anyOf(d.Variables)})
	table("solution", map[string]any{"env": anyOf(d.SolveVariables)})
	text, err := toml.Marshal(config)
	if err != nil {
		return err
	}
	// The tests may have a test.sh of their own: the function is read before that takes the place of this one.
	test := "#!/bin/bash\n# Written by assay: the tests of terminal-bench, and their reward.\nmain() {\nmkdir -p /logs/verifier\nrm /tests/test.sh\ncp -a /tests/files/. /tests/\n" +
		"bash /tests/" + path.Base(d.Script) + " 2>&1 | tee /logs/verifier/output.txt\n" +
		"if grep -qE '^(PASSED|SKIPPED|XFAIL)' /logs/verifier/output.txt && ! grep -qE '^(FAILED|ERROR|XPASS)' /logs/verifier/output.txt; then\n" +
		"\techo 1 >/logs/verifier/reward.txt\nelse\n\techo 0 >/logs/verifier/reward.txt\nfi\n}\nmain\nexit\n"
	steps := []error{
		w.put(harborFile, string(text)), w.put("instruction.md", t.Description),
		w.copy(d.Context, "environment", terminalBenchFile, d.Script, d.Tests, d.Solution, "docker-compose.yaml"),
		w.put("tests/test.sh", test),
	}
	if d.Context != "." && d.Dockerfile != path.Join(d.Context, "Dockerfile") {
		steps = append(steps, errors.New("its Dockerfile is not in the directory that it copies from"))
	}
	if w.has(d.Tests) {
		steps = append(steps, w.copy(d.Tests, "tests/files"))
	}
	steps = append(steps, w.copy(d.Script, "tests/files/"+path.Base(d.Script)))
	if d.Solution != "" {
		steps = append(steps, w.put("solution/solve.sh", t.Reference))
	}
	return errors.Join(steps...)
}

func anyOf(variables map[string]string) map[string]any {
	all := map[string]any{}
	for name, value := range variables {
		all[name] = value
	}
	return all
}

// described returns what describes a task, with the keys of both formats.
func described(t *benchmark.Task) map[string]any {
	values := map[string]any{}
	if t.Difficulty != "" {
		values["difficulty"] = string(t.Difficulty)
	}
	if t.Category != "" {
		values["category"] = t.Category
	}
	if len(t.Topics) > 0 {
		values["tags"] = t.Topics
	}
	return values
}

// terminalBench writes a task of Harbor as terminal-bench's.
func (w *directoryWriter) terminalBench() error {
	t, d := w.task, w.task.Repository.Directory
	config := described(t)
	maps.Copy(config, map[string]any{"instruction": t.Description, "parser_name": "pytest"})
	for key, seconds := range map[string]float64{"max_test_timeout_sec": t.Limits.WallSeconds, "max_agent_timeout_sec": d.AgentTimeSeconds} {
		if seconds > 0 {
			config[key] = seconds
		}
	}
	text, err := yaml.Marshal(config)
	if err != nil {
		return err
	}
	client := map[string]any{"build": map[string]any{"dockerfile": "Dockerfile"}, "command": []string{"sh", "-c", "sleep infinity"}}
	variables := anyOf(d.Variables)
	variables["TEST_DIR"] = "${T_BENCH_TEST_DIR}"
	client["environment"] = variables
	compose, err := yaml.Marshal(map[string]any{"services": map[string]any{"client": client}})
	if err != nil {
		return err
	}
	run := "#!/bin/bash\n# Written by assay: the tests of Harbor, and their reward as a test.\nmkdir -p /logs/verifier\n" + exported(d.TestVariables) +
		"bash /" + d.Script + "\nreward=$(cat /logs/verifier/reward.txt 2>/dev/null)\n" +
		"case \"$reward\" in\n1 | 1.0) echo 'PASSED test.sh::reward' ;;\n*) echo \"FAILED test.sh::reward - the reward is ${reward:-missing}\" ;;\nesac\n"
	solution := ""
	if d.Solution != "" {
		if solution, err = w.solution(); err != nil {
			return err
		}
	}
	steps := []error{w.put(terminalBenchFile, string(text)), w.put("docker-compose.yaml", string(compose)), w.put("run-tests.sh", run)}
	if d.Context == "environment" {
		steps = append(steps, w.copy(d.Context, ".", "environment/docker-compose.yaml"))
	} else {
		steps = append(steps, w.copy(d.Context, ".", harborFile, "instruction.md", "tests", "solution", "environment"), w.copy(d.Dockerfile, "Dockerfile"))
	}
	steps = append(steps, w.copy(d.Tests, "tests"))
	if solution != "" {
		steps = append(steps, w.put("solution.sh", solution))
	}
	return errors.Join(steps...)
}

func exported(variables map[string]string) (text string) {
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		text += "export " + name + "=" + dockerfile.Quote(variables[name]) + "\n"
	}
	return text
}

// solution returns the reference solution as one script.
func (w *directoryWriter) solution() (string, error) {
	d := w.task.Repository.Directory
	dir := path.Dir(d.Solution)
	entries, err := fs.ReadDir(w.from, dir)
	if err != nil {
		return "", err
	}
	if len(entries) == 1 && len(d.SolveVariables) == 0 {
		return w.task.Reference, nil
	}
	sub, err := fs.Sub(w.from, dir)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zip)
	if err := errors.Join(archive.AddFS(sub), archive.Close(), zip.Close()); err != nil {
		return "", err
	}
	return "#!/bin/bash\n# Written by assay: the files of the solution, and its script.\n" + exported(d.SolveVariables) +
		"mkdir -p /solution && base64 -d <<'END' | tar -xzf - -C /solution\n" + base64.StdEncoding.EncodeToString(packed.Bytes()) + "\nEND\nbash /" + d.Solution + "\n", nil
}
