package judge

import (
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// byDevices are programs that double the number they read from /dev/stdin, write to /dev/stdout, and say something
// on /dev/stderr. Some look at themselves in /proc, too, as runtimes do.
var byDevices = []struct{ name, language, code string }{
	{"python", "python", "n = int(open('/dev/stdin').read())\nopen('/dev/stderr', 'w').write('x')\nopen('/dev/stdout', 'w').write(str(2 * n))"},
	{"python, in a child", "python", "import subprocess\nprint(2 * int(subprocess.check_output(['cat', '/dev/stdin'])))"},
	{"python, in /proc", "python", "assert '[heap]' in open('/proc/self/maps').read()\nprint(2 * int(open('/proc/self/fd/0').read()))"},
	{"javascript", "javascript", "const fs = require('fs'); const n = +fs.readFileSync('/dev/stdin', 'utf8'); fs.writeFileSync('/dev/stderr', 'x'); fs.writeFileSync('/dev/stdout', String(2 * n));"},
	{"c", "c", "#include <stdio.h>\nint main(void) { int n; FILE *in = fopen(\"/dev/stdin\", \"r\"), *out = fopen(\"/dev/stdout\", \"w\"); fputs(\"x\", fopen(\"/dev/stderr\", \"a\")); return fscanf(in, \"%d\", &n) != 1 || fprintf(out, \"%d\", 2 * n) < 1; }"},
	{"c++", "cpp", "#include <fstream>\nint main() { int n; std::ifstream(\"/dev/stdin\") >> n; std::ofstream(\"/dev/stderr\") << 'x'; std::ofstream(\"/dev/stdout\") << 2 * n; }"},
	{"c++ freopen", "cpp", "#include <cstdio>\n#include <iostream>\nint main() { int n; freopen(\"/dev/stdin\", \"r\", stdin); std::cin >> n; freopen(\"/dev/stdout\", \"w\", stdout); std::cout << 2 * n; }"},
	{"bash", "bash", "read -r n < /dev/stdin; echo x > /dev/stderr; echo $((2 * n)) > /dev/stdout"},
	{"bash substitution", "bash", "while read -r n; do echo $((2 * n)); done < <(cat)"},
	{"bash tee", "bash", "read -r n; echo $((2 * n)) | tee /dev/stderr"},
	{"bash pipe", "bash", "awk '{ print 2 * $1 }' <(cat /dev/stdin)"},
	{"go", "go", "package main\nimport (\"fmt\"; \"os\")\nfunc main() { f, _ := os.Open(\"/dev/stdin\"); var n int; fmt.Fscan(f, &n); os.WriteFile(\"/dev/stderr\", []byte(\"x\"), 0o644); os.WriteFile(\"/dev/stdout\", []byte(fmt.Sprint(2 * n)), 0o644) }"},
	{"ruby", "ruby", "n = File.read('/dev/stdin').to_i\nFile.write('/dev/stderr', 'x')\nFile.write('/dev/stdout', 2 * n)"},
	{"php", "php", "<?php $n = (int)file_get_contents('/dev/stdin'); echo 2 * $n;"},
	{"perl", "perl", "open my $in, '<', '/dev/stdin'; my $n = <$in>; open my $e, '>', '/dev/stderr'; print $e 'x'; open my $out, '>', '/dev/stdout'; print $out 2 * $n;"},
	{"lua", "lua", "local n = io.open('/dev/stdin'):read('n'); io.open('/dev/stderr', 'w'):write('x'); io.open('/dev/stdout', 'w'):write(2 * n)"},
	{"r", "r", "n <- as.integer(readLines(file('/dev/stdin'))); cat(2 * n, file = '/dev/stdout')"},
	{"java", "java", "import java.nio.file.*;\npublic class Main { public static void main(String[] a) throws Exception { int n = Integer.parseInt(Files.readString(Path.of(\"/dev/stdin\")).trim()); Files.writeString(Path.of(\"/dev/stdout\"), \"\" + 2 * n); } }"},
	{"csharp", "csharp", "using System.IO;\nclass P { static void Main() { int n = int.Parse(new StreamReader(\"/dev/stdin\").ReadToEnd()); System.Console.WriteLine(2 * n); } }"},
	{"rust", "rust", "fn main() { let n: i32 = std::fs::read_to_string(\"/dev/stdin\").unwrap().trim().parse().unwrap(); std::fs::write(\"/dev/stdout\", (2 * n).to_string()).unwrap(); }"},
	{"d", "d", "import std.conv, std.file, std.stdio, std.string;\nvoid main() { string[] all; foreach (i; 0 .. 300000) { all ~= to!string(i) ~ \"x\"; if (i % 1000 == 0) all = []; } writeln(2 * readText(\"/dev/stdin\").strip.to!int); }"},
}

// TestDevices: programs that open their streams by name are right in every isolation.
func TestDevices(t *testing.T) {
	t.Parallel()
	for isolation, j := range everyIsolation(t) {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			for _, tt := range byDevices {
				t.Run(tt.name, func(t *testing.T) {
					sampled.Row(t, 6)
					t.Parallel()
					task := &benchmark.Task{ID: "p", Language: tt.language, Tests: benchmark.Tests{Style: benchmark.Stdin,
						Runs: []benchmark.Run{{Input: "21\n", Output: "42\n"}, {Input: "4\n", Output: "8\n"}}}}
					ready(t, j, task)
					if r := judgeCode(t, j, task, tt.code); r.Verdict != verdicts.Accepted {
						t.Errorf("%s %q %+v\n%s", r.Verdict, r.Message, r.Cases, r.Stderr)
					}
				})
			}
		})
	}
}
