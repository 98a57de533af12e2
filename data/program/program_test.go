package program

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/data/fatal"
)

// script makes a file that leaves a mark next to itself when it is run.
const script = "#!/bin/sh\necho ran >\"$MARK\"\n"

// hostile are the files and variables by which a folder, or a variable that leads there, makes a tool run a program:
// {} is the folder.
var hostile = []struct {
	name, file, text, variable string
	ask                        []string
}{
	{"a program in the current folder", "node", script, "PATH=.:{PATH}", []string{"node", "--version"}},
	{"an empty part of the PATH", "git", script, "PATH=:{PATH}", []string{"git", "--version"}},
	{"a folder below the current one", "bin/go", script, "PATH=bin:{PATH}", []string{"go", "version"}},
	{"json.py", "json.py", "", "", []string{"python3", "-c", "import json"}},
	{"sitecustomize.py", "sitecustomize.py", "", "PYTHONPATH=.", []string{"python3", "--version", "-c", "0"}},
	{"PYTHONPATH", "sitecustomize.py", "", "PYTHONPATH={}", []string{"python3", "-c", "0"}},
	{"PYTHONHOME", "lib/python3.11/encodings/__init__.py", "", "PYTHONHOME={}", []string{"python3", "-c", "0"}},
	{"PYTHONSTARTUP", "start.py", "", "PYTHONSTARTUP={}/start.py", []string{"python3", "-c", "0"}},
	{".python-version", ".python-version", "../../../../../../../../../../../../..{}/x", "", []string{"python3", "--version"}},
	{"PYENV_VERSION", "bin/python3", script, "PYENV_VERSION=../../../../../..{}", []string{"python3", "--version"}},
	{"NODE_OPTIONS", "evil.js", "require('fs').writeFileSync(process.env.MARK, '')", "NODE_OPTIONS=--require ./evil.js", []string{"node", "-e", "0"}},
	{"NODE_PATH", "fs.js", "", "NODE_PATH=.", []string{"node", "-e", "require('fs')"}},
	{".npmrc", ".npmrc", "node-options=--require ./evil.js\n", "", []string{"node", "--version"}},
	{"package.json", "package.json", `{"type": "module", "imports": {"#x": "./evil.js"}}`, "", []string{"node", "-e", "0"}},
	{"RUBYOPT", "evil.rb", "File.write(ENV['MARK'], '')", "RUBYOPT=-r./evil", []string{"ruby", "-e", "0"}},
	{"RUBYLIB", "rubygems.rb", "File.write(ENV['MARK'], '')", "RUBYLIB=.", []string{"ruby", "-e", "0"}},
	{"PERL5OPT", "evil.pm", "open F, '>', $ENV{MARK}; 1;", "PERL5OPT=-I. -Mevil", []string{"perl", "-e", "0"}},
	{"PERL5LIB", "strict.pm", "open F, '>', $ENV{MARK}; 1;", "PERL5LIB=.", []string{"perl", "-e", "use strict"}},
	{"PHP_INI_SCAN_DIR", "evil.ini", "auto_prepend_file={}/evil.php\n", "PHP_INI_SCAN_DIR=.", []string{"php", "-r", "0;"}},
	{"PHPRC", "php.ini", "auto_prepend_file={}/evil.php\n", "PHPRC=.", []string{"php", "-r", "0;"}},
	{"LUA_INIT", "evil.lua", "io.open(os.getenv('MARK'), 'w')", "LUA_INIT=@evil.lua", []string{"lua5.4", "-e", "a=0"}},
	{"BASH_ENV", "evil.sh", script, "BASH_ENV=./evil.sh", []string{"bash", "-c", ":"}},
	{"ENV", "evil.sh", script, "ENV=./evil.sh", []string{"sh", "-c", ":"}},
	{"GOFLAGS", "evil", script, "GOFLAGS=-toolexec=./evil", []string{"go", "list", "-export", "errors"}},
	{"GOENV", "go.env", "GOFLAGS=-toolexec={}/evil\n", "GOENV=go.env", []string{"go", "env", "GOFLAGS"}},
	{"go.mod", "go.mod", "module x\n\ngo 99.1\n\ntoolchain go99.1\n", "", []string{"go", "env", "GOROOT"}},
	{"go.work", "go.work", "go 99.1\n", "", []string{"go", "env", "GOROOT"}},
	{"rust-toolchain.toml", "rust-toolchain.toml", "[toolchain]\npath = \"{}/toolchain\"\n", "", []string{"rustc", "--version"}},
	{".cargo/config.toml", ".cargo/config.toml", "[build]\nrustc-wrapper = \"{}/evil\"\n", "RUSTC_WRAPPER={}/evil", []string{"cargo", "--version"}},
	{"git's configuration", ".git/config", "[core]\n\tfsmonitor = {}/evil\n\trepositoryformatversion = 0\n", "GIT_CONFIG_GLOBAL={}/.git/config", []string{"git", "status"}},
	{"git's variables", "evil", script, "GIT_EXEC_PATH={}", []string{"git", "ls-remote", "."}},
	{"git's pager", "evil", script, "GIT_PAGER=./evil", []string{"git", "--paginate", "--version"}},
	{"JAVA_TOOL_OPTIONS", "evil", script, "JAVA_TOOL_OPTIONS=-XX:OnError=./evil", []string{"java", "-version"}},
	{"GCC_EXEC_PREFIX", "cc1", script, "GCC_EXEC_PREFIX={}/", []string{"gcc", "-E", "-xc", "/dev/null"}},
	{"COMPILER_PATH", "cc1", script, "COMPILER_PATH={}", []string{"gcc", "-E", "-xc", "/dev/null"}},
	{"LD_PRELOAD", "evil.so", "", "LD_PRELOAD=./evil.so", []string{"sh", "-c", ":"}},
	{"LD_AUDIT", "evil.so", "", "LD_AUDIT={}/evil.so", []string{"sh", "-c", ":"}},
}

// marking is what makes {}/evil, a toolchain and modules of Python leave the mark.
var marking = map[string]string{"evil": script, "toolchain/bin/rustc": script, "x/bin/python3": script, "evil.php": "<?php touch(getenv('MARK'));"}

const python = "import os\nopen(os.environ['MARK'], 'w')\n"

// Nothing that a folder holds or that a variable adds runs when a tool is asked there. The same tools started plainly
// show that the attacks work.
func TestHostileFolders(t *testing.T) {
	worked := 0
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			if _, err := exec.LookPath(h.ask[0]); err != nil {
				t.Skipf("%s is missing", h.ask[0])
			}
			dir := t.TempDir()
			mark := filepath.Join(dir, "mark")
			full := func(text string) string {
				return strings.NewReplacer("{}", dir, "{PATH}", os.Getenv("PATH")).Replace(text)
			}
			write := func(name, text string) {
				fatal.If(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
				fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(full(text)), 0o755))
			}
			for name, text := range marking {
				write(name, text)
			}
			if text := h.text; strings.HasSuffix(h.file, ".py") {
				write(h.file, python)
			} else {
				write(h.file, text)
			}
			if name, value, set := strings.Cut(full(h.variable), "="); set {
				t.Setenv(name, value)
			}
			t.Setenv("MARK", mark)
			t.Chdir(dir)
			plain := exec.CommandContext(t.Context(), h.ask[0], h.ask[1:]...)
			if errors.Is(plain.Err, exec.ErrDot) {
				plain = exec.CommandContext(t.Context(), "sh", "-c", strings.Join(h.ask, " "))
			}
			_ = plain.Run() // it may fail when the attack has worked
			if _, err := os.Stat(mark); err == nil {
				worked++
				t.Log("worked when started plainly")
			}
			fatal.If(t, os.RemoveAll(mark))
			said, err := Ask(t.Context(), h.ask[0], h.ask[1:]...)
			if _, ran := os.Stat(mark); ran == nil {
				t.Errorf("it ran: %s, %v", said.All(), err)
			}
			if strings.Contains(string(said.All()), dir) {
				t.Errorf("it read the folder: %s", said.All())
			}
		})
	}
	if worked < 8 {
		t.Errorf("%d attacks worked when the tools were started plainly: the test would see nothing", worked)
	}
}

// Only plain names are looked for, and only in absolute directories.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"x/evil", "evil", "sub/evil"} {
		fatal.If(t, os.MkdirAll(filepath.Dir(name), 0o755))
		fatal.If(t, os.WriteFile(name, []byte(script), 0o755))
	}
	absolute := filepath.Join(dir, "sub")
	t.Setenv("PATH", "") // which is put back after the test
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"", ".", "x", "sub", "./x", "../" + filepath.Base(dir), absolute, "/usr/bin"})).Draw(t, "PATH")
		os.Setenv("PATH", strings.Join(parts, ":"))
		name := rapid.SampledFrom([]string{"evil", "x/evil", "./evil", "../evil", "../../proc/self/cwd/x/evil", ".", "..", "", absolute + "/evil", "x\\evil", "evil\x00"}).Draw(t, "name")
		path, err := Find(name)
		if may := name == "evil" && slices.Contains(parts, absolute); may != (err == nil) || may && path != filepath.Join(absolute, "evil") {
			t.Fatalf("Find(%q) with the PATH %q: %q, %v", name, parts, path, err)
		}
		for _, entry := range Environment() {
			if value, ok := strings.CutPrefix(entry, "PATH="); ok {
				for _, part := range filepath.SplitList(value) {
					if !filepath.IsAbs(part) {
						t.Fatalf("tools get the PATH %q", value)
					}
				}
			}
		}
	})
}

// Tools and boxes get no key and none of the variables that make a program run another; the user's own programs get all.
func TestEnvironment(t *testing.T) {
	for _, name := range strings.Fields("OPENAI_API_KEY ASSAY_KEY_1 GITHUB_TOKEN SONAR_TOKEN AWS_SECRET_ACCESS_KEY NODE_OPTIONS LD_PRELOAD BASH_ENV GOFLAGS PS4 SHELLOPTS") {
		t.Setenv(name, "secret")
	}
	t.Setenv("PATH", "/bin:/usr/bin")
	for _, class := range []Class{Tool, Box} {
		cmd := Command(t.Context(), class, "sh", "-c", "env; pwd")
		out, err := cmd.Output()
		fatal.If(t, err)
		if strings.Contains(string(out), "secret") || !strings.HasSuffix(string(out), "\n/\n") {
			t.Errorf("class %d: %s", class, out)
		}
	}
	out, err := Command(t.Context(), Own, "sh", "-c", "echo $OPENAI_API_KEY").Output()
	fatal.If(t, err)
	if string(out) != "secret\n" {
		t.Errorf("the user's own program: %q", out)
	}
}

func TestAskIsLimited(t *testing.T) {
	if said, err := Ask(t.Context(), "sh", "-c", "head -c 100000000 /dev/zero"); err == nil || len(said.Out) == 0 || len(said.Out) > maxSaid {
		t.Errorf("%d bytes, %v", len(said.Out), err)
	}
}

// A word of a command line is one argument of a shell, with the text that it was made of.
func TestWords(t *testing.T) {
	texts := []string{"ann", "Ann Lee", "my study.toml", "a$b`c\"d\\", "", "Müller", "it's", "~", "*", "a\nb", "!", "m=r/n,x"}
	out, err := exec.Command("sh", "-c", "printf '%s\\000' "+Line(texts...)).Output()
	if want := strings.Join(texts, "\x00") + "\x00"; err != nil || string(out) != want {
		t.Errorf("a shell reads %q of %s, want %q: %v", out, Line(texts...), want, err)
	}
	if Word("r/a-1.jsonl") != "r/a-1.jsonl" || Word("my file") != `"my file"` {
		t.Error("a word is quoted where it need not be, or not where it must be")
	}
}
