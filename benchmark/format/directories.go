package format

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/benchmark"
	"assay/benchmark/dockerfile"
	"assay/data/disk"
	"assay/data/tomlfile"
)

// The formats of task directories: a directory for each task, in one folder, or one of them.
const (
	Harbor        = Format(benchmark.Harbor)
	TerminalBench = Format(benchmark.TerminalBench)
)

// The file by which a task directory is recognized.
const (
	harborFile        = "task.toml"
	terminalBenchFile = sweBenchMeta // without the files of SWE-bench's folders beside it
)

// Limits of a task directory.
const (
	mostDirectories    = 20_000 // tasks of a folder
	mostDirectoryFiles = 50_000
	mostDirectoryBytes = 1 << 30
)

// directoryDepth is how far below the folder task directories are looked for.
const directoryDepth = 3

// directoriesOf returns the task directories of a folder in the order of their names, and their format, or none.
func directoriesOf(dir string) (as Format, names []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", nil, fmt.Errorf("reading %s: %w", dir, err)
	}
	defer root.Close()
	files := root.FS()
	for depth, at := 0, []string{"."}; depth <= directoryDepth && len(at) > 0; depth++ {
		var below []string
		for _, name := range at {
			switch kind := directoryFormat(files, name); {
			case kind == "":
			case as != "" && kind != as:
				return "", nil, fmt.Errorf("%s has task directories of %s and of %s: name a folder with one kind", dir, as, kind)
			case len(names) == mostDirectories:
				return "", nil, fmt.Errorf("%s has more than %d task directories: name a smaller folder", dir, mostDirectories)
			default:
				as, names = kind, append(names, name)
				continue
			}
			entries, err := fs.ReadDir(files, name)
			if err != nil {
				return "", nil, fmt.Errorf("reading %s: %w", filepath.Join(dir, name), err)
			}
			for _, e := range entries {
				if e.IsDir() && e.Name()[0] != '.' {
					below = append(below, path.Join(name, e.Name()))
				}
			}
		}
		if len(names) > 0 {
			break // what lies below a task, or beside tasks, is theirs
		}
		if at = below; len(at) > mostDirectories {
			break
		}
	}
	return as, names, nil
}

// detectDirectories reads the task directories of a folder that is no benchmark of assay's own, or returns nil.
func detectDirectories(dir string, as Format) (*benchmark.Benchmark, Format, error) {
	if _, err := os.Stat(filepath.Join(dir, benchmark.FolderFile)); as == "" && err == nil {
		return nil, as, nil
	}
	if as != "" && !slices.Contains([]Format{Harbor, TerminalBench, Kattis, Polygon}, as) {
		return nil, as, nil
	}
	kind, names, err := directoriesOf(dir)
	switch {
	case err != nil:
		return nil, as, err
	case as != "" && kind != as:
		return nil, as, fmt.Errorf("%s has no task directory of %s", dir, as)
	case kind == "":
		return nil, as, nil
	}
	b, err := loadDirectories(dir, kind, names)
	return b, kind, err
}

// directoryFormat returns the format of a task directory, or "".
func directoryFormat(files fs.FS, name string) Format {
	has := func(file string) bool {
		info, err := fs.Stat(files, path.Join(name, file))
		return err == nil && info.Mode().IsRegular()
	}
	switch {
	case has(kattisFile):
		return Kattis
	case has(polygonFile):
		return Polygon
	case has(harborFile):
		return Harbor
	case has(terminalBenchFile) && !has("gold.patch") && !has("tests.json") && !has("problem_statement.md"):
		return TerminalBench
	}
	return ""
}

// loadDirectories reads task directories.
func loadDirectories(dir string, as Format, names []string) (*benchmark.Benchmark, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", dir, err)
	}
	b := &benchmark.Benchmark{Version: benchmark.FormatVersion, Name: baseName(whole)}
	seen := map[string]string{}
	for _, name := range names {
		place := filepath.Join(dir, name)
		d := &directory{place: place, source: filepath.Join(whole, name), id: path.Base(filepath.ToSlash(filepath.Join(whole, name)))}
		if len(names) > 1 && seen[d.id] != "" {
			d.id = name
		}
		task, err := d.read(as)
		if err != nil {
			if err := leaveOut(b, err); err != nil {
				return nil, err
			}
			continue
		}
		if seen[task.ID] != "" {
			return nil, fmt.Errorf("%s: the id %q stands in %s already: ids must be unique", place, task.ID, seen[task.ID])
		}
		seen[task.ID] = place
		b.Tasks = append(b.Tasks, *task)
	}
	return b, allLeftOut(b)
}

// directory reads one task directory. Every fault leaves out its task alone.
type directory struct {
	place, source, id string
	files             fs.FS // of the directory, none outside even through links
	task              *benchmark.Task
	line              func(key string) int // of the configuration
	config            string               // its file
	values            map[string]any
	bytes             int // of the tests that were read, in bytes
}

// fault returns the fault of a file of the directory.
func (d *directory) fault(file string, line int, format string, args ...any) error {
	at := filepath.Join(d.place, file)
	if line > 0 {
		at += ":" + strconv.Itoa(line)
	}
	return &unusable{d.id, fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))}
}

// wrong returns the fault of a key of the configuration.
func (d *directory) wrong(key, format string, args ...any) error {
	return d.fault(d.config, d.line(key), "%s: %s", key, fmt.Sprintf(format, args...))
}

// read returns the task.
func (d *directory) read(as Format) (*benchmark.Task, error) {
	root, err := os.OpenRoot(d.source)
	if err != nil {
		return nil, d.fault("", 0, "the directory cannot be read: %v", err)
	}
	defer root.Close()
	d.files = root.FS()
	if as == Kattis || as == Polygon {
		return d.problem(as)
	}
	digest, err := d.digest()
	if err != nil {
		return nil, err
	}
	d.task = &benchmark.Task{ID: d.id, Title: d.id, Language: "bash", Repository: &benchmark.Repository{
		Name: string(as) + "/" + strings.ReplaceAll(d.id, " ", "-"), Source: d.source,
		Directory: &benchmark.Directory{Kind: benchmark.DirectoryKind(as), Digest: digest, Tests: "tests"},
	}}
	readAs := d.harbor
	if as == TerminalBench {
		readAs = d.terminalBench
	}
	if err := readAs(); err != nil {
		return nil, err
	}
	if err := d.environment(); err != nil {
		return nil, err
	}
	of := d.task.Repository.Directory
	for _, name := range []string{of.Script, of.Solution} {
		if info, err := fs.Stat(d.files, name); name != "" && (err != nil || !info.Mode().IsRegular()) {
			return nil, d.fault(name, 0, "the file is missing; it is a script for bash")
		}
	}
	if of.Solution != "" {
		if d.task.Reference, err = d.text(of.Solution); err != nil {
			return nil, err
		}
	}
	d.task.Repository.FailToPass = []string{of.Script}
	d.keep()
	if err := d.task.Check(); err != nil {
		return nil, d.fault(d.config, 0, "%v", err)
	}
	return d.task, nil
}

// text reads a text of the directory.
func (d *directory) text(name string) (string, error) {
	text, err := disk.ReadFS(d.files, name, disk.Document)
	if errors.Is(err, fs.ErrNotExist) {
		return "", d.fault(name, 0, "the file is missing")
	}
	if err != nil {
		return "", d.fault(name, 0, "%v", err)
	}
	if problem := notUTF8(text); problem != "" {
		return "", d.fault(name, 0, "%s", problem)
	}
	return string(disk.WithoutMark(text)), nil
}

// digest returns the SHA-256 of all names, modes and contents. It is a fault if there are too many files.
func (d *directory) digest() (string, error) {
	hash := sha256.New()
	files, size := 0, int64(0)
	err := fs.WalkDir(d.files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if files++; files > mostDirectoryFiles {
			return fmt.Errorf("there are more than %d files", mostDirectoryFiles)
		}
		fmt.Fprintf(hash, "%q %v %d ", name, info.Mode(), info.Size())
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := fs.ReadLink(d.files, name)
			fmt.Fprintf(hash, "%q", target)
			return err
		case info.IsDir():
			return nil
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is no file, directory or link", name)
		}
		if size += info.Size(); size > mostDirectoryBytes {
			return fmt.Errorf("its files have more than %d MB", mostDirectoryBytes>>20)
		}
		file, err := d.files.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(hash, file)
		return err
	})
	if err != nil {
		return "", d.fault("", 0, "%v", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// harbor reads a directory of Harbor.
func (d *directory) harbor() error {
	d.config = harborFile
	text, err := d.text(harborFile)
	if err != nil {
		return err
	}
	decoded, err := tomlfile.Decode(filepath.Join(d.place, harborFile), text, &d.values, "")
	if err != nil {
		return &unusable{d.id, err}
	}
	d.line = decoded.Line
	if d.task.Description, err = d.text("instruction.md"); err != nil {
		return err
	}
	of := d.task.Repository.Directory
	of.Dockerfile, of.Script = "environment/Dockerfile", "tests/test.sh"
	if _, err := fs.Stat(d.files, "solution"); err == nil {
		of.Solution = "solution/solve.sh"
	}
	for _, none := range []struct{ key, why string }{
		{"steps", "a task of several steps"}, {"environment.mcp_servers", "servers that an agent is to use"},
		{"environment.gpus", "a graphics processor"}, {"environment.docker_image", "an image that only its own container has"},
	} {
		if value := d.value(none.key); !isEmpty(value) {
			return d.wrong(none.key, "%s cannot be had in a box", none.why)
		}
	}
	if mode, err := d.str("verifier.environment_mode"); err != nil || mode == "separate" {
		return cmp.Or(err, d.wrong("verifier.environment_mode", "tests in a container of their own cannot be had in a box"))
	}
	if title, err := d.str("task.description"); err != nil {
		return err
	} else if title != "" {
		d.task.Title = clip(title)
	}
	for _, f := range []struct {
		key  string
		into *map[string]string
	}{{"environment.env", &of.Variables}, {"verifier.env", &of.TestVariables}, {"solution.env", &of.SolveVariables}} {
		if *f.into, err = d.variables(f.key); err != nil {
			return err
		}
	}
	if err := d.metadata("metadata."); err != nil {
		return err
	}
	if err := d.limits("verifier.timeout_sec", "agent.timeout_sec", "environment.cpus"); err != nil {
		return err
	}
	d.task.Limits.MemoryMB, err = d.size("environment.memory_mb", "environment.memory")
	return err
}

// terminalBench reads a directory of terminal-bench.
func (d *directory) terminalBench() error {
	d.config = terminalBenchFile
	text, err := d.text(terminalBenchFile)
	if err != nil {
		return err
	}
	if d.values, d.line, err = readYAML(text); err != nil {
		return d.fault(d.config, 0, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if d.task.Description, err = d.str("instruction"); err != nil {
		return err
	}
	if strings.TrimSpace(d.task.Description) == "" {
		return d.wrong("instruction", "the key is missing or empty; it holds the statement")
	}
	parser, err := d.str("parser_name")
	if err != nil {
		return err
	}
	if parser != "" && parser != "pytest" {
		return d.wrong("parser_name", "the parser %q is not understood; pytest is", parser)
	}
	of := d.task.Repository.Directory
	of.Dockerfile, of.Script = "Dockerfile", "run-tests.sh"
	of.Variables = map[string]string{"TEST_DIR": "/tests"}
	for _, name := range []string{"solution.sh", "solution.yaml"} {
		if _, err := fs.Stat(d.files, name); err == nil {
			of.Solution = name
			break
		}
	}
	if of.Solution == "solution.yaml" {
		return d.fault(of.Solution, 0, "keys for a terminal are not understood; write the solution as solution.sh")
	}
	if err := d.metadata(""); err != nil {
		return err
	}
	return d.limits("max_test_timeout_sec", "max_agent_timeout_sec", "")
}

// readYAML reads a mapping, and returns the line of each key, from 1.
func readYAML(text string) (values map[string]any, line func(string) int, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, nil, err
	}
	lines := map[string]int{}
	if len(doc.Content) > 0 && doc.Content[0].Kind == yaml.MappingNode {
		for i := 0; i+1 < len(doc.Content[0].Content); i += 2 {
			lines[doc.Content[0].Content[i].Value] = doc.Content[0].Content[i].Line
		}
	}
	if err := doc.Decode(&values); err != nil {
		return nil, nil, err
	}
	return values, func(key string) int { return max(lines[key], 1) }, nil
}

// environment reads the Dockerfile and the compose file.
func (d *directory) environment() error {
	of := d.task.Repository.Directory
	of.Context = path.Dir(of.Dockerfile)
	if err := d.compose(path.Join(path.Dir(of.Dockerfile), "docker-compose.yaml")); err != nil {
		return err
	}
	context, err := fs.Sub(d.files, of.Context)
	if err != nil {
		return d.fault(of.Dockerfile, 0, "%v", err)
	}
	text, err := d.text(of.Dockerfile)
	if err != nil {
		return err
	}
	if _, err := dockerfile.Read(filepath.Join(d.place, of.Dockerfile), text, context); err != nil {
		return &unusable{d.id, err}
	}
	return nil
}

// compose reads the compose file, if there is one: its only service is the environment.
func (d *directory) compose(name string) error {
	text, err := disk.ReadFS(d.files, name, disk.Document)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return d.fault(name, 0, "%v", err)
	}
	var file struct {
		Services map[string]struct {
			Environment yaml.Node `yaml:"environment"`
			Build       yaml.Node `yaml:"build"`
			Privileged  bool      `yaml:"privileged"`
			CapAdd      []string  `yaml:"cap_add"`
			Devices     []any     `yaml:"devices"`
		} `yaml:"services"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return d.fault(name, 0, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(file.Services) > 1 {
		return d.fault(name, 0, "services: %d containers work together, which one box cannot stand for", len(file.Services))
	}
	of := d.task.Repository.Directory
	for service, s := range file.Services {
		if s.Privileged || len(s.CapAdd) > 0 || len(s.Devices) > 0 {
			return d.fault(name, 0, "services.%s: rights over the machine (privileged, cap_add, devices) are not given to a box", service)
		}
		var build struct {
			Context string `yaml:"context"`
		}
		if s.Build.Decode(&build) == nil && build.Context != "" {
			of.Context = path.Join(path.Dir(name), strings.TrimPrefix(build.Context, "${CONTEXT_DIR}"))
			if !fs.ValidPath(of.Context) {
				return d.fault(name, s.Build.Line, "services.%s.build.context: %q is outside of the task directory", service, build.Context)
			}
		}
		pairs := map[string]any{}
		if list := []string(nil); s.Environment.Decode(&list) == nil {
			for _, pair := range list {
				key, value, _ := strings.Cut(pair, "=")
				pairs[key] = value
			}
		} else if err := s.Environment.Decode(&pairs); err != nil && s.Environment.Kind != 0 {
			return d.fault(name, s.Environment.Line, "services.%s.environment: %s", service, strings.TrimPrefix(err.Error(), "yaml: "))
		}
		for key, value := range pairs {
			text := strings.NewReplacer("${T_BENCH_TEST_DIR}", "/tests", "${T_BENCH_CONTAINER_LOGS_PATH}", "/logs").Replace(fmt.Sprint(value))
			if value == nil || strings.Contains(text, "${") {
				continue // of the machine's environment, which no box sees
			}
			if of.Variables == nil {
				of.Variables = map[string]string{}
			}
			of.Variables[key] = text
		}
	}
	return nil
}
