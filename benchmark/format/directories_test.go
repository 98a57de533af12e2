package format_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/data/fatal"
)

// directories has the files of a task directory of each kind.
var directories = map[format.Format]map[string]string{
	format.Harbor: {
		"task.toml": `version = "1.0"
[metadata]
difficulty = "easy"
category = "files"
tags = ["shell", "text"]
[verifier]
timeout_sec = 60.0
env = { WANTED = "it's", KEY = "${KEY}" }
[agent]
timeout_sec = 300
[environment]
build_timeout_sec = 600.0
cpus = 2
memory = "2G"
allow_internet = true
`,
		"instruction.md": "Count the lines: of /app/data.\n", "environment/Dockerfile": "FROM debian:bookworm\nENV A=1\nWORKDIR /app\nCOPY data ./\n", "environment/data": "x\n",
		"tests/test.sh": "echo 1 >/logs/verifier/reward.txt\n", "tests/test_outputs.py": "def test_a(): pass\n", "solution/solve.sh": "bash $(dirname $0)/more.sh\n", "solution/more.sh": "true\n",
	},
	format.TerminalBench: {
		"task.yaml":  "instruction: |-\n  Count the lines: of /app/data.\ndifficulty: easy\ncategory: files\ntags: [shell, text]\nparser_name: pytest\nmax_agent_timeout_sec: 300\nmax_test_timeout_sec: 60.0\n",
		"Dockerfile": "FROM debian:bookworm\nENV A=1\nWORKDIR /app\nCOPY data ./\n", "data": "x\n", "docker-compose.yaml": "services:\n  client:\n    build: {dockerfile: Dockerfile}\n    environment: {TEST_DIR: '${T_BENCH_TEST_DIR}', B: 2}\n",
		"run-tests.sh": "pytest $TEST_DIR\n", "tests/test_outputs.py": "def test_a(): pass\n", "solution.sh": "true\n",
	},
}

// put writes a task directory, with changed files; a text of "-" removes one.
func put(t fataler, dir string, as format.Format, changed map[string]string) {
	for _, files := range []map[string]string{directories[as], changed} {
		for name, text := range files {
			place := filepath.Join(dir, name)
			if text == "-" {
				os.RemoveAll(place)
				continue
			}
			if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
				t.Fatalf("%v", err)
			}
			if err := os.WriteFile(place, []byte(text), 0o644); err != nil {
				t.Fatalf("%v", err)
			}
		}
	}
}

type fataler interface{ Fatalf(string, ...any) }

func TestTaskDirectories(t *testing.T) {
	for as := range directories {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "tasks", "count"), as, nil)
		put(t, filepath.Join(dir, "tasks", "other"), as, nil)
		b, found, err := format.LoadAs(dir, "")
		fatal.If(t, err)
		if found != as || len(b.Tasks) != 2 || len(b.LeftOut) != 0 || b.Tasks[0].ID != "count" {
			t.Fatalf("%s: %s %+v", as, found, b)
		}
		task := b.Tasks[0]
		if task.Description != strings.TrimRight(task.Description, " ") || !strings.Contains(task.Description, "Count the lines: of /app/data.") || task.Difficulty != benchmark.Easy ||
			task.Category != "files" || !slices.Equal(task.Topics, []string{"shell", "text"}) || task.Limits.WallSeconds != 60 || task.Repository.Directory.AgentTimeSeconds != 300 {
			t.Errorf("%s: %+v", as, task)
		}
		switch d := task.Repository.Directory; as {
		case format.Harbor:
			if task.Limits.MemoryMB != 2048 || task.Limits.CPUTotal != 120 || fmt.Sprint(d.TestVariables) != "map[WANTED:it's]" {
				t.Errorf("%+v %+v", task.Limits, d)
			}
		default:
			if fmt.Sprint(d.Variables) != "map[B:2 TEST_DIR:/tests]" {
				t.Errorf("%+v", d)
			}
		}
		before := task.Hash()
		put(t, filepath.Join(dir, "tasks", "count"), as, map[string]string{"tests/test_outputs.py": "def test_b(): pass\n"})
		if b, _, err = format.LoadAs(dir, as); err != nil || b.Tasks[0].Hash() == before {
			t.Errorf("%s: other tests make another task: %v", as, err)
		}
	}
}

// A task that cannot be read or judged is left out with file, line and key; the others are read.
func TestTaskDirectoriesLeftOut(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, row := range []struct {
		as         format.Format
		file, text string
		want       string
	}{
		{format.Harbor, "task.toml", "version = 1\n[verifier\n", "task.toml:2"},
		{format.Harbor, "task.toml", "[verifier]\ntimeout_sec = \"soon\"\n", "task.toml:2: verifier.timeout_sec: the value must be a number"},
		{format.Harbor, "task.toml", "[verifier]\n\ntimeout_sec = -1\n", "task.toml:3: verifier.timeout_sec: -1 is outside 0 to 36000"},
		{format.Harbor, "task.toml", "[verifier]\ntimeout_sec = nan\n", "task.toml:2: verifier.timeout_sec: NaN is outside"},
		{format.Harbor, "task.toml", "[verifier]\nenv = { A = 1 }\n", "verifier.env.A: the value must be text"},
		{format.Harbor, "task.toml", "[environment]\nmemory = \"lots\"\n", "task.toml:2: environment.memory: \"lots\" is no size"},
		{format.Harbor, "task.toml", "[environment]\nmemory_mb = 99999999999\n", "task.toml:2: environment.memory_mb"},
		{format.Harbor, "task.toml", "[environment]\ngpus = 1\n", "task.toml:2: environment.gpus: a graphics processor cannot be had"},
		{format.Harbor, "task.toml", "[metadata]\ntags = \"a\"\n", "task.toml:2: metadata.tags: the value must be a list of texts"},
		{format.Harbor, "task.toml", "[metadata]\ntags = [1]\n", "task.toml:2: metadata.tags: the value must be a list of texts"},
		{format.Harbor, "task.toml", "[[steps]]\nname = \"a\"\n", "task.toml:1: steps: a task of several steps"},
		{format.Harbor, "instruction.md", "-", "instruction.md: the file is missing"},
		{format.Harbor, "instruction.md", "\xff", "instruction.md: byte 1 (0xff) is not UTF-8"},
		{format.Harbor, "environment/Dockerfile", "-", "environment/Dockerfile: the file is missing"},
		{format.Harbor, "environment/Dockerfile", "FROM debian\nFROM own/" + long, "environment/Dockerfile:2: the image own/"},
		{format.Harbor, "environment/docker-compose.yaml", "services: {a: {}, b: {}}", "docker-compose.yaml: services: 2 containers"},
		{format.Harbor, "environment/docker-compose.yaml", "services: {a: {privileged: true}}", "services.a: rights over the machine"},
		{format.Harbor, "environment/docker-compose.yaml", "services: {a: {build: {context: ../../..}}}", "is outside of the task directory"},
		{format.Harbor, "environment/docker-compose.yaml", "services: []", "docker-compose.yaml: unmarshal errors"},
		{format.Harbor, "tests/test.sh", "-", "tests/test.sh: the file is missing"},
		{format.Harbor, "solution/solve.sh", "-", "solution/solve.sh: the file is missing"},
		{format.TerminalBench, "task.yaml", "instruction: [a\n", "task.yaml: line 1"},
		{format.TerminalBench, "task.yaml", "- a\n", "task.yaml: unmarshal errors"},
		{format.TerminalBench, "task.yaml", "difficulty: easy\n", "task.yaml:1: instruction: the key is missing or empty"},
		{format.TerminalBench, "task.yaml", "\ninstruction: 5\n", "task.yaml:2: instruction: the value must be text"},
		{format.TerminalBench, "task.yaml", "instruction: a\nparser_name: own\n", "task.yaml:2: parser_name: the parser \"own\""},
		{format.TerminalBench, "task.yaml", "instruction: a\nmax_test_timeout_sec: [1]\n", "task.yaml:2: max_test_timeout_sec: the value must be a number"},
		{format.TerminalBench, "run-tests.sh", "-", "run-tests.sh: the file is missing"},
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "good"), row.as, nil)
		put(t, filepath.Join(dir, "wrong"), row.as, map[string]string{row.file: row.text})
		b, _, err := format.LoadAs(dir, "")
		if err != nil || len(b.Tasks) != 1 || b.FaultOf("wrong") == nil {
			t.Errorf("%s %q: %v %+v", row.file, row.text, err, b)
			continue
		}
		if fault := b.FaultOf("wrong").Error(); !strings.Contains(fault, row.want) || !strings.HasPrefix(fault, filepath.Join(dir, "wrong")+"/") {
			t.Errorf("%s %q: %s, want %s", row.file, row.text, fault, row.want)
		}
	}
}

// A link of a task directory leads to no file of the machine.
func TestTaskDirectoryWithLinks(t *testing.T) {
	for _, name := range []string{"instruction.md", "tests/test.sh", "environment/Dockerfile", "task.toml"} {
		dir := t.TempDir()
		secret := filepath.Join(t.TempDir(), "secret")
		fatal.If(t, os.WriteFile(secret, []byte("version = \"1.0\"\n"), 0o600))
		put(t, filepath.Join(dir, "good"), format.Harbor, nil)
		put(t, filepath.Join(dir, "linked"), format.Harbor, map[string]string{name: "-"})
		fatal.If(t, os.Symlink(secret, filepath.Join(dir, "linked", name)))
		b, _, err := format.LoadAs(dir, "")
		if err != nil || len(b.Tasks) != 1 || name != "task.toml" && b.FaultOf("linked") == nil {
			t.Errorf("%s: %v %+v", name, err, b)
		}
	}
}

// No configuration makes the readers panic, and each fault names the file.
func TestTaskDirectoriesOfAnything(t *testing.T) {
	words := []string{"instruction", "parser_name", "tags", "[verifier]", "[[steps]]", "timeout_sec", "env", ":", "=", "\n", " ", "[", "]", "{", "}", "-", "\"", "1", "x", "&a", "*a", "|", "services", "<<", "?"}
	files := map[format.Format][]string{format.Harbor: {"task.toml", "environment/docker-compose.yaml"}, format.TerminalBench: {"task.yaml", "docker-compose.yaml"}}
	base := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		as := rapid.SampledFrom([]format.Format{format.Harbor, format.TerminalBench}).Draw(t, "format")
		name := rapid.SampledFrom(files[as]).Draw(t, "file")
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			t.Fatalf("%v", err)
		}
		put(t, dir, as, map[string]string{name: strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "text"), "")})
		if _, _, err := format.LoadAs(dir, as); err != nil && !strings.Contains(err.Error(), dir) {
			t.Fatalf("%v", err)
		}
	})
}

// Task directories become the other kind's, and come back; what would be lost is named.
func TestTaskDirectoriesAreWritten(t *testing.T) {
	for _, row := range []struct {
		from, to format.Format
		lost     string
	}{{format.TerminalBench, format.Harbor, ""}, {format.Harbor, format.TerminalBench, "limits"}, {format.Harbor, format.Harbor, ""}, {format.TerminalBench, format.TerminalBench, ""}} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "count"), row.from, nil)
		b, _, err := format.LoadAs(dir, "")
		fatal.If(t, err)
		out := filepath.Join(dir, "new", "written")
		err = format.WriteDirectories(out, b, row.to, false)
		if row.lost != "" {
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("its field %q would be lost", row.lost)) {
				t.Errorf("%s to %s: %v", row.from, row.to, err)
			}
			if left, err := os.ReadDir(filepath.Join(dir, "new")); err != nil || len(left) > 0 {
				t.Errorf("%s to %s leaves %v %v", row.from, row.to, left, err)
			}
			err = format.WriteDirectories(out, b, row.to, true)
		}
		fatal.If(t, err)
		again, as, err := format.LoadAs(out, "")
		fatal.If(t, err)
		if as != row.to || len(again.Tasks) != 1 || strings.TrimSpace(again.Tasks[0].Description) != strings.TrimSpace(b.Tasks[0].Description) || again.Tasks[0].Category != "files" {
			t.Errorf("%s to %s: %+v", row.from, row.to, again)
		}
		fatal.If(t, format.WriteDirectories(filepath.Join(dir, "back"), again, row.from, true))
		if err := format.WriteDirectories(out, b, row.to, true); err == nil || !strings.Contains(err.Error(), "is not empty") {
			t.Errorf("%v", err)
		}
	}
	own := &benchmark.Benchmark{Tasks: []benchmark.Task{{ID: "a"}}}
	if err := format.WriteDirectories(filepath.Join(t.TempDir(), "x"), own, format.Harbor, true); err == nil || !strings.Contains(err.Error(), `task "a" is no task directory`) {
		t.Errorf("%v", err)
	}
}
