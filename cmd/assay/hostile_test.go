package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/data/sampled"
	"assay/session"
	"assay/session/llm"
	"assay/session/study"
)

// hostileFiles are what a folder of a stranger's may have to make a program start another one, or be one. Each writes
// its name into the file MARK.
var hostileFiles = map[string]string{
	"rust-toolchain.toml": "[toolchain]\npath = \"{}/chain\"\n", ".cargo/config.toml": "[build]\nrustc-wrapper = \"{}/x/evil\"\n",
	".python-version": "../../../../../../../../..{}/chain\n", ".tool-versions": "python path:{}/chain\nnodejs path:{}/chain\n", ".ruby-version": "../..{}/chain\n",
	".node-version": "../..{}/chain\n", ".nvmrc": "../..{}/chain\n", "mise.toml": "[tools]\npython = 'path:{}/chain'\n[env]\n_.source = './x/evil'\n", ".envrc": "./x/evil\n",
	"package.json": `{"type": "module", "volta": {"node": "{}/chain"}, "scripts": {"preinstall": "./x/evil"}}`, ".npmrc": "node-options=--require ./evil.js\n",
	".pylintrc": "[MASTER]\ninit-hook=__import__('evil')\n", "pylintrc": "[MASTER]\ninit-hook=__import__('evil')\n", "setup.cfg": "[pylint.master]\ninit-hook=__import__('evil')\n",
	"pyproject.toml": "[tool.pylint.main]\ninit-hook = \"__import__('evil')\"\n", ".bandit": "[bandit]\n", "ruff.toml": "extend = '/dev/null'\n", ".semgrep.yml": "rules: []\n",
	"eslint.config.mjs": "import './evil.js'\n", ".eslintrc.js": "require('./evil.js')\n", ".Rprofile": "system('./x/evil')\n", ".Renviron": "R_PROFILE_USER=./.Rprofile\n", ".lintr": "linters: system('./x/evil')\n",
	"go.mod": "module x\n\ngo 99.1\n\ntoolchain go99.1\n", "go.work": "go 99.1\n", "go.env": "GOFLAGS=-toolexec={}/x/evil\n", ".git/config": "[core]\n\tfsmonitor = {}/x/evil\n\tpager = {}/x/evil\n\trepositoryformatversion = 0\n",
	".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": "", ".gitattributes": "* filter=evil diff=evil\n", ".lesskey": "#env\nLESSOPEN=./x/evil\n", ".exrc": "!./x/evil\n", ".nanorc": "include ./x/evil\n",
	"environments.toml": "[[environment]]\nrepository = \"o/r\"\ntoolchain = \"./x/evil\"\n", "models.toml": "[[model]]\nname = \"m\"\nprovider = \"command\"\ncommand = [\"./x/evil\"]\n",
	"languages.toml": "[python]\nversion = [\"./x/evil\"]\n", "settings.toml": "editor = \"./x/evil\"\n", "Makefile": "x := $(shell ./x/evil)\n",
	"json.py": "import evil\n", "site.py": "import evil\n", "sitecustomize.py": "import evil\n", "os.py": "import evil\n", "evil.py": "open('{}/MARK', 'a').write('python')\n",
	"evil.js": "require('fs').writeFileSync('{}/MARK', 'node')\n", "evil.rb": "File.write('{}/MARK', 'ruby')\n", "evil.pm": "open F, '>', '{}/MARK'; 1;\n", "evil.lua": "io.open('{}/MARK', 'w')\n", "evil.ini": "auto_prepend_file={}/evil.php\n",
	"tsconfig.json": `{"extends": "./evil.js", "compilerOptions": {"plugins": [{"name": "./evil.js"}]}}`, "php.ini": "auto_prepend_file={}/evil.php\n", ".php.ini": "auto_prepend_file={}/evil.php\n",
	"evil.php": "<?php touch('{}/MARK');\n", ".devcontainer/devcontainer.json": `{"initializeCommand": "./x/evil", "image": "evil"}`, "docker-compose.yml": "services:\n  a:\n    build: .\n",
	".gitmodules": "[submodule \"x\"]\n\tpath = x\n\turl = ext::./x/evil\n", ".pre-commit-config.yaml": "repos: [{repo: local, hooks: [{id: e, name: e, language: system, entry: ./x/evil}]}]\n", "conftest.py": "import evil\n",
	"sgconfig.yml": "customLanguages: {x: {libraryPath: ./x/evil}}\n", ".bundle/config": "BUNDLE_GEMFILE: ./evil.rb\n", "build.rs": "fn main() { std::process::Command::new(\"./x/evil\").spawn(); }\n",

	// Task directories of Harbor and terminal-bench, whose files name programs of this folder.
	"harbor/task.toml": "version = \"1.0\"\n[verifier]\nenv = { BASH_ENV = \"{}/x/evil\", LD_PRELOAD = \"{}/evil.so\", KEY = \"${OPENAI_API_KEY}\" }\n", "harbor/instruction.md": "Do it.\n",
	"harbor/environment/Dockerfile": "# syntax={}/x/evil\nFROM python:3.11-slim\nENV PATH={}/x:$PATH BASH_ENV={}/x/evil\nRUN {}/x/evil; ./x/evil; ../../x/evil; evil || true\n", "harbor/tests/test.sh": "{}/x/evil\nenv >{}/MARK\n[ -e /srv/done ] && echo 1 >/logs/verifier/reward.txt\n",
	"harbor/solution/solve.sh": "{}/x/evil\nenv >{}/MARK\ntouch /srv/done\n",
	"bench/task.yaml":          "instruction: Do it.\nparser_name: pytest\n", "bench/Dockerfile": "FROM python:3.11-slim\nRUN {}/x/evil || true\n", "bench/docker-compose.yaml": "services:\n  client:\n    build: {dockerfile: Dockerfile}\n    environment: {BASH_ENV: '{}/x/evil', KEY: '${OPENAI_API_KEY}'}\n",
	"bench/run-tests.sh": "{}/x/evil\nenv >{}/MARK\n", "bench/solution.sh": "{}/x/evil\nenv >{}/MARK\n", "bench/tests/test_outputs.py": "open('{}/MARK', 'w')\n",
	"scripts.jsonl": `{"task_id": "harbor", "completion": "#!/bin/sh\n{}/x/evil; env >{}/MARK; touch /srv/done"}` + "\n",

	"batch.toml": "tasks = \"./task.json\"\nmodels = [\"*\"]\nmodels_file = \"models.toml\"\nprompts = [\"statement\"]\n", "task.json": `{"assay_benchmark": 1, "name": "b", "tasks": [{"id": "a", "title": "A", "language": "python", "description": "d"}]}`,
	".venv/bin/python3": "#!{}/x/evil\n", "pyvenv.cfg": "home = {}/chain/bin\n", "mypy.ini": "[mypy]\nplugins = ./evil.py\n", ".flake8": "[flake8:local-plugins]\nextension = X = evil:x\n", "uv.toml": "python-preference = 'managed'\n",
	".mvn/jvm.config": "-XX:OnError={}/x/evil\n", ".java-version": "../..{}/chain\n", "composer.json": `{"scripts": {"pre-command-run": "./x/evil"}}`, ".yarnrc.yml": "yarnPath: ./evil.js\n", "bunfig.toml": "preload = ['./evil.js']\n", "deno.json": `{"tasks": {"a": "./x/evil"}}`,
	"renv/activate.R": "system('./x/evil')\n", ".ghci": ":! ./x/evil\n", "config.nims": "exec \"./x/evil\"\n", ".ocamlinit": "Sys.command \"./x/evil\";;\n", "mix.exs": "System.cmd(\"./x/evil\", [])\n", "Project.toml": "name = \"x\"\n", ".gdbinit": "shell ./x/evil\n",
	"Cargo.toml": "[package]\nname = \"x\"\nbuild = \"build.rs\"\n", ".git/hooks/post-checkout": "#!/bin/sh\n{}/x/evil\n", ".git/hooks/post-index-change": "#!/bin/sh\n{}/x/evil\n", ".git/info/attributes": "* filter=evil\n",

	"answer.py": "def f(a):\n    return a\n", "samples.jsonl": `{"task_id": "a", "completion": "x"}` + "\n",
}

// hostileTask is a benchmark whose task names a program to run.
const hostileTask = `{"assay_benchmark": 1, "name": "b", "tasks": [{"id": "a", "title": "A", "language": "python", "description": "d",
 "reference": "--- a/x\n", "repository": {"name": "o/r", "source": ".", "test_patch": "--- a/t\n", "fail_to_pass": ["t::a"],
 "environment": {"toolchain": %q, "version": %q, "test": ["true"], "parser": "pytest"}}}]}`

// hostileVariables make programs run another one; the user's own are among them, with paths in the current folder.
var hostileVariables = strings.Fields("NODE_OPTIONS=--require=./evil.js PYTHONPATH=. RUBYOPT=-r./evil PERL5OPT=-I.%20-Mevil LUA_INIT=@evil.lua BASH_ENV=./x/evil ENV=./x/evil " +
	"JDK_JAVA_OPTIONS=-XX:OnError=./x/evil JAVA_TOOL_OPTIONS=-XX:OnOutOfMemoryError=./x/evil JULIA_LOAD_PATH=. GIT_SSH_COMMAND=./x/evil GIT_ASKPASS=./x/evil PYTHONBREAKPOINT=evil.x PYTHONUSERBASE=. " +
	"GOFLAGS=-toolexec=./x/evil GOENV=./go.env PHP_INI_SCAN_DIR=. GIT_PAGER=./x/evil R_PROFILE_USER=./.Rprofile RUSTC_WRAPPER=./x/evil")

// hostileStudy packs a study with a task that names a program, as somebody would who changes the program that packs: the
// name is not checked.
func hostileStudy(t *testing.T, toolchain string) []byte {
	t.Helper()
	s, err := study.Parse("study.toml", "name = \"s\"\n[tasks]\nbenchmark = \"b\"\n[[arm]]\nname = \"a\"\nmodel = \"m\"\n[design]\ntesters = 2\n")
	fatal.If(t, err)
	b, err := benchmark.Parse("b.json", []byte(strings.Replace(fmt.Sprintf(hostileTask, "node", "3"), `"source": ".", `, "", 1)))
	fatal.If(t, err)
	b.Tasks[0].Repository.Environment.Toolchain = toolchain
	path := filepath.Join(t.TempDir(), "models.toml")
	fatal.If(t, os.WriteFile(path, []byte("[[model]]\nname = \"m\"\nprovider = \"openai\"\nbase_url = \"http://localhost:9/v1\"\nmodel = \"m\"\n"), 0o600))
	models, err := llm.LoadModels(path)
	fatal.If(t, err)
	m, err := models.Get("m")
	fatal.If(t, err)
	lock, err := s.Lock(b, func(string) (session.Model, error) {
		return session.Model{Name: "m", Provider: m.Provider, Definition: m.Definition()}, nil
	})
	fatal.If(t, err)
	portable, err := models.Portable("m", llm.Renamed{})
	fatal.If(t, err)
	packed, err := s.Pack(b, lock, []llm.Portable{portable}, 1)
	fatal.If(t, err)
	var text bytes.Buffer
	fatal.If(t, packed.Write(&text))
	return text.Bytes()
}

// Nothing of a stranger's folder, or of a benchmark in it, runs on this machine, whichever verb opens it. A
// benchmark names every fourth of the programs, and with ASSAY_TESTS=all each of them.
func TestHostileFolder(t *testing.T) {
	for _, need := range []string{"bwrap", "python3"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("%s is missing", need)
		}
	}
	bin, dir, home, tools := builtAssay(t), t.TempDir(), t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if filepath.IsAbs(name) {
			path = name
		}
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "{}", dir)), 0o755))
	}
	for name, text := range hostileFiles {
		write(name, text)
	}
	evil := "#!/bin/sh\necho \"$0 $*\" >>{}/MARK\n"
	for _, name := range strings.Fields("x/evil evil python3 python node ruby perl php lua lua5.4 go gofmt gcc g++ cc ld javac java rustc cargo Rscript git bwrap docker podman sh bash less man editor nano vi " +
		"pylint bandit semgrep ruff gosec eslint tsc xdg-open wl-copy xclip pyenv chain/bin/python3 chain/bin/rustc chain/bin/node") {
		write(name, evil)
	}
	for i, version := range []string{"pylint 3.3.1", "bandit 1.8.0", "1.99.0"} { // real ones, as pipx installs them
		write(filepath.Join(tools, []string{"pylint", "bandit", "semgrep"}[i]), "#!/usr/bin/python3\nimport json\nprint('"+version+"')\n")
	}
	names := []string{"./x/evil", filepath.Join(dir, "x/evil"), "../../proc/self/cwd/x/evil", "evil", "-c", "python", "node"}
	verbs := [][]string{{"doctor"}, {"measure", "answer.py", "--analyser", "installed"}, {"measure", "."}, {"help", "isolation"}, {"models", "list"}, {"tasks", "list", "."}, {"tasks", "from-git", "."}}
	verbs = append(verbs, []string{"models", "add", "m", "--at", "http://127.0.0.1:9/v1", "--unchecked"}, []string{"tasks", "list", "harbor"}, []string{"tasks", "show", "bench", "bench"},
		[]string{"tasks", "check", "harbor"}, []string{"tasks", "check", "bench"}, []string{"run", "batch", "batch.toml", "--out", filepath.Join(home, "b")}, []string{"eval", "scripts.jsonl", "--tasks", "harbor", "--out", filepath.Join(home, "h")})
	for i, name := range names {
		if !sampled.OneIn(4, i) {
			continue
		}
		file := fmt.Sprintf("task%d.json", i)
		write(file, fmt.Sprintf(hostileTask, name, "3/../../x/evil"))
		pack := fmt.Sprintf("place%d.study", i)
		fatal.If(t, os.WriteFile(filepath.Join(dir, pack), hostileStudy(t, name), 0o600))
		verbs = append(verbs, []string{"study", "join", pack, "--plain", "--tester", "ann"}, []string{"tasks", "list", file}, []string{"tasks", "show", file, "a"}, []string{"tasks", "check", file},
			[]string{"eval", "samples.jsonl", "--tasks", file, "--out", filepath.Join(home, fmt.Sprint(i))})
	}
	path := tools + ":/usr/local/go/bin:" + os.Getenv("PATH")
	for i, args := range append(verbs, verbs[:3]...) {
		if i == len(verbs) { // now with the current folder on the PATH
			path = ":.:x:" + path + ":"
		}
		cmd := exec.CommandContext(t.Context(), bin, args...)
		cmd.Dir = dir
		cmd.Env = append([]string{"PATH=" + path, "HOME=" + home, "OPENAI_API_KEY=sk-secret", "TERM=dumb"}, hostileVariables...)
		out, _ := cmd.CombinedOutput() // most fail, as they should
		if args[0] == "study" && !strings.Contains(string(out), "A new session starts") {
			t.Errorf("the session of %s did not begin: %s", args[2], out)
		}
		if ran, err := os.ReadFile(filepath.Join(dir, "MARK")); err == nil {
			t.Errorf("assay %s ran\n%s\nand printed\n%s", strings.Join(args, " "), ran, out)
			fatal.If(t, os.Remove(filepath.Join(dir, "MARK")))
		}
	}
}
