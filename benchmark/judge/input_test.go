package judge

import (
	"testing"

	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// reading are functions that read their whole standard input, which is empty, and return how much there was.
var reading = []struct{ language, name, code string }{
	{"python", "stdin", "import sys\ndef f(): return len(sys.stdin.read())"},
	{"python", "descriptor", "import os\ndef f(): return len(os.read(0, 9))"},
	{"python", "input", "def f():\n    try:\n        return len(input())\n    except EOFError:\n        return 0"},
	{"python", "a child", "import subprocess\ndef f(): return len(subprocess.check_output(['cat']))"},
	{"javascript", "descriptor", "const f = () => require('fs').readFileSync(0).length;"},
	{"javascript", "a child", "const f = () => require('child_process').execSync('cat', { stdio: ['inherit', 'pipe', 'inherit'] }).length;"},
	{"typescript", "descriptor", "declare var require: any;\nconst f = (): number => require('fs').readFileSync(0).length;"},
	{"r", "file", "f <- function() length(readLines(file('stdin')))"},
	{"r", "console", "f <- function() length(readLines(stdin())) + nchar(readline())"},
	{"r", "scan", "f <- function() length(scan(quiet = TRUE)) + length(scan(file('stdin'), quiet = TRUE))"},
	{"r", "a child", "f <- function() length(system('cat', intern = TRUE))"},
	{"ruby", "stdin", "def f = $stdin.read.size"},
	{"ruby", "gets", "def f = gets.to_s.size"},
	{"ruby", "a child", "def f = `cat`.size"},
	{"php", "stdin", "<?php function f() { return strlen(stream_get_contents(fopen('php://stdin', 'r'))); }"},
	{"php", "STDIN", "<?php function f() { return strlen((string) fgets(STDIN)); }"},
	{"php", "readline", "<?php function f() { return strlen((string) readline()); }"},
	{"php", "a child", "<?php function f() { return strlen((string) shell_exec('cat')); }"},
	{"go", "stdin", "package main\n\nimport (\"io\"; \"os\")\n\nfunc f() int { all, _ := io.ReadAll(os.Stdin); return len(all) }"},
	{"java", "stdin", "class Solution { static int f() throws Exception { return System.in.readAllBytes().length; } }"},
	{"cpp", "cin", "#include <iostream>\n#include <string>\nint f() { std::string s; std::getline(std::cin, s); return s.size(); }"},
	{"cpp", "scanf", "#include <cstdio>\nint f() { int n = 0; return std::scanf(\"%d\", &n) > 0; }"},
	{"rust", "stdin", "fn f() -> usize { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); s.len() }"},
}

// TestCallsHaveNoInput: a function that reads its standard input finds its end at once, when it is called and when
// it is loaded.
func TestCallsHaveNoInput(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range reading {
		t.Run(tt.language+" "+tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			task := typedTask(t, j, tt.language, `{"args":[],"expected":0}`, `{"args":[],"expected":0}`)
			if r := judgeCode(t, j, task, tt.code); r.Verdict != verdicts.Accepted || r.Isolation != "isolated" {
				t.Errorf("%s [%s] %q %s", r.Verdict, statuses(r), r.Message, r.Stderr)
			}
		})
	}
}
