package judge

import (
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/data/sampled"
)

// multiPLE are tasks in the form of MultiPL-E: prompt, tests, and whole files in which a chat model answers, with the
// things that stand once in a file. BAD in an answer is replaced by 0 and by 1: only the first one is right.
var multiPLE = []struct {
	language, prompt, tests string
	answers                 []string
}{
	{"rust", "// Adds one.\nuse std::collections::HashMap;\n\nfn add_one(n: isize) -> isize {\n", "}\n\nfn main() {\n    let candidate = add_one;\n    assert_eq!(candidate(3), 4);\n}\n", []string{
		"#![forbid(unsafe_code)]\n#![allow(dead_code)]\nuse std::collections::HashMap;\n\nfn add_one(n: isize) -> isize {\n    let _m: HashMap<i32, i32> = HashMap::new();\n    n + 1 + BAD\n}\n\nfn main() {\n    println!(\"{}\", add_one(3));\n}\n",
		"use std::collections::{HashMap, HashSet};\n\npub fn add_one(n: isize) -> isize {\n    let _a: HashMap<i32, i32> = HashMap::new();\n    let _b: HashSet<i32> = HashSet::new();\n    n + 1 + BAD\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn test_it() { assert_eq!(add_one(1), 2); }\n}\n",
	}},
	{"csharp", "using System;\nusing System.Collections.Generic;\nusing System.Diagnostics;\nclass Problem {\n    // Adds one.\n    public static long AddOne(long n) {\n", "    }\n}\nclass Tests : Problem {\n    public static void Main(string[] args) {\n    Debug.Assert(AddOne((3L)) == (4L));\n    }\n\n}\n", []string{
		"using System;\n\nclass Program\n{\n    public static long AddOne(long n)\n    {\n        return n + 1 + BAD;\n    }\n\n    static void Main(string[] args)\n    {\n        Console.WriteLine(AddOne(3));\n    }\n}\n",
		"using System;\nusing System.Linq;\n\nnamespace Solution.One\n{\n    public static class Problem\n    {\n        public static long AddOne(long n) { return n + 1 + BAD; }\n    }\n}\n",
		"public static long AddOne(long n) {\n    return n + 1 + BAD;\n}\n",
	}},
	{"php", "<?php\n// Adds one.\nfunction add_one($n) {\n", "}\n\nfunction candidate(...$args) {\n    return add_one(...$args);\n}\n\nfunction test(): void {\n    if (candidate(3) !== 4) { throw new Exception(\"Test failed!\"); }\n}\n\ntest();\n", []string{
		"<?php\ndeclare(strict_types=1);\n\nfunction add_one(int $n): int {\n    return $n + 1 + BAD;\n}\n\necho add_one(3);\n?>\n",
		"<?php\nfunction add_one($n) {\n    return $n + 1 + BAD;\n}\n?>\n",
	}},
	{"lua", "-- Adds one.\nlocal function add_one(n)\n", "lu = require('luaunit')\n\nfunction test_humaneval()\nlocal candidate = add_one\n    lu.assertEquals(candidate(3), 4)\nend\n\nos.exit(lu.LuaUnit.run())\n", []string{
		"local function add_one(n)\n  return n + 1 + BAD\nend\n\nprint(add_one(3))\nreturn add_one\n",
		"local M = {}\n\nfunction M.add_one(n)\n  return n + 1 + BAD\nend\n\nreturn M\n",
	}},
	{"ruby", "# Adds one.\ndef add_one(n)\n", "require 'test/unit'\nclass TestHumanEval < Test::Unit::TestCase\n  def test_add_one\n    candidate = method(:add_one)\n    assert_equal(4, candidate.call(3))\n  end\nend\n", []string{
		"def add_one(n)\n  n + 1 + BAD\nend\n\nif __FILE__ == $0\n  puts add_one(gets.to_i)\n  exit 3\nend\n",
		"# frozen_string_literal: true\n\ndef add_one(n)\n  n + 1 + BAD\nend\n\nputs add_one(3)\nexit\n",
	}},
	{"perl", "# Adds one.\nsub add_one {\n    my($n) = @_;\n", "sub testhumaneval {\n    my $candidate = \\&add_one;\n    if ($candidate->(3) != 4) { exit 1; }\n}\n\ntesthumaneval();\n", []string{
		"#!/usr/bin/perl\nuse strict;\nuse warnings;\n\nsub add_one {\n    my ($n) = @_;\n    return $n + 1 + BAD;\n}\n\nprint add_one(3), \"\\n\";\n\n1;\n__END__\n\nNotes.\n",
		"use strict;\n\nsub add_one {\n    my ($n) = @_;\n    return $n + 1 + BAD;\n}\n\nprint add_one(3);\nexit 0;\n",
	}},
	{"bash", "#!/bin/bash\n# Adds one.\nadd_one() {\n", "}\n\ncandidate() {\n    add_one \"$@\"\n}\n\nset -e\nrun_test() {\n    [[ $(candidate \"3\") = \"4\" ]]\n}\n\nrun_test", []string{
		"#!/usr/bin/env bash\nset -euo pipefail\n\nadd_one() {\n    echo $(($1 + 1 + BAD))\n}\n\nadd_one 3\nexit 0\n",
		"add_one() {\n    echo $(($1 + 1 + BAD))\n}\n\nif [[ \"${BASH_SOURCE[0]}\" == \"${0}\" ]]; then\n    add_one 1\nfi\n",
	}},
	{"r", "# Adds one.\nadd_one <- function(n) {", "test_humaneval <- function() {\n    candidate <- add_one\n    if(!identical(candidate(3), 4)){quit('no', 1)}\n}\ntest_humaneval()", []string{
		"library(stats)\n\nadd_one <- function(n) {\n  n + 1 + BAD\n}\n\nprint(add_one(3))\nquit(save = \"no\")\n",
	}},
	{"haskell", "-- Adds one.\nadd_one :: Int -> Int\nadd_one n = ", "main :: IO ()\nmain = if add_one 3 == 4 then return () else error \"wrong\"\n", []string{
		"module Main (main) where\n\nimport Data.List (sort)\nimport qualified Data.Map as Map\n\nadd_one :: Int -> Int\nadd_one n = length (sort [1 .. n]) + 1 + BAD\n\nmain :: IO ()\nmain = print (add_one 3)\n",
	}},
	{"d", "import std.math;\n// Adds one.\nlong add_one(long n)\n", "unittest\n{\n    alias candidate = add_one;\n    assert(candidate(3L) == 4L);\n}\nvoid main(){}\n", []string{
		"module solution;\n\nimport std.stdio;\n\nlong add_one(long n) {\n    return n + 1 + BAD;\n}\n\nvoid main() {\n    writeln(add_one(3));\n}\n",
	}},
	{"scala", "object Problem {\n    // Adds one.\n    def addOne(n : Long) : Long = {\n", "    }\n}\nobject Tests {\n    import Problem._\n    def main(args: Array[String]) = {\n    assert(addOne((3L)) == (4L));\n    }\n\n}\n", []string{
		"package solution\n\nimport scala.collection.mutable\n\nobject Main extends App {\n  def addOne(n: Long): Long = n + 1 + BAD\n\n  println(addOne(3L))\n}\n",
		"object Problem {\n  def addOne(n: Long): Long = {\n    n + 1 + BAD\n  }\n\n  def main(args: Array[String]): Unit = {\n    println(addOne(3L))\n  }\n}\n",
	}},
	{"typescript", "// Adds one.\nfunction add_one(n: number): number {\n", "declare var require: any;\nconst assert = require('node:assert');\n\n\nfunction test() {\n  let candidate = add_one;\n  assert.deepEqual(candidate(3),4);\n}\n\ntest();", []string{
		"import * as fs from 'fs';\n\nexport function add_one(n: number): number {\n  const name: string = 'x';\n  return n + 1 + BAD;\n}\n\nconsole.log(add_one(3));\nexport default add_one;\n",
		"const assert = require('assert');\nconst name = 'add';\ntype Node = { value: number };\n\nfunction add_one(n: number): number {\n  return n + 1 + BAD;\n}\n\nassert.strictEqual(typeof add_one, 'function');\n",
	}},
	{"javascript", "//Adds one.\nfunction add_one(n){\n", "const assert = require('node:assert');\n\n\nfunction test() {\n  let candidate = add_one;\n  assert.deepEqual(candidate(3),4);\n}\n\ntest();", []string{
		"const assert = require('assert');\n\nfunction add_one(n) {\n  return n + 1 + BAD;\n}\n\nassert.strictEqual(typeof add_one, 'function');\nmodule.exports = add_one;\n",
		"import assert, { strictEqual as same } from 'assert';\nimport * as path from 'path';\n\nexport default function add_one(n) {\n  return n + 1 + BAD;\n}\n\nfunction test() { same(1, 1); }\ntest();\n",
		"export const add_one = (n) => n + 1 + BAD;\n\nexport { add_one as one };\n",
		"exports.add_one = (n) => n + 1 + BAD;\n",
		"const add_one = (n) => n + 1 + BAD;\nconsole.log(add_one(3));\nprocess.exit(0);\n",
	}},
	{"go", "package add_one_test\n\n// Adds one.\nfunc add_one(n int) int {\n", "func TestAdd_One(t *testing.T) {\n  candidate := add_one\n  if candidate(3) != 4 { t.Errorf(\"wrong\") }\n}\n", []string{
		"package main\n\nimport (\n\t\"fmt\"\n\tm \"math\"\n)\n\nfunc add_one(n int) int {\n\treturn int(m.Abs(float64(n))) + 1 + BAD\n}\n\nfunc main() {\n\tfmt.Println(add_one(3))\n}\n",
		"package add_one\n\nimport \"testing\"\n\nfunc add_one(n int) int {\n\treturn n + 1 + BAD\n}\n\nfunc TestAdd_One(t *testing.T) {\n\tt.Error(\"own\")\n}\n",
	}},
	{"java", "import java.util.*;\nclass Problem {\n    // Adds one.\n    public static long addOne(long n) {\n", "    }\n}\nclass Main extends Problem {\n    public static void main(String[] args) {\n    assert(addOne((3l)) == (4l));\n    }\n\n}\n", []string{
		"package a.b;\n\nimport java.util.stream.*;\n\npublic class Main {\n    public static long addOne(long n) {\n        return LongStream.of(n).sum() + 1 + BAD;\n    }\n\n    public static void main(String[] args) {\n        System.out.println(addOne(3));\n    }\n}\n",
		"public final class Solution {\n    private Solution() {}\n    public static long addOne(long n) { return n + 1 + BAD; }\n}\n",
	}},
	{"cpp", "#include<assert.h>\n#include<bits/stdc++.h>\n// Adds one.\nlong add_one(long n) {\n", "}\nint main() {\n    auto candidate = add_one;\n    assert(candidate((3)) == (4));\n}\n", []string{
		"#include <iostream>\nusing namespace std;\n#define M 1000000007\n\nlong add_one(long n) {\n    return (n + 1 + BAD) % M;\n}\n\nint main(int argc, char **argv) {\n    cout << add_one(3);\n}\n",
	}},
	{"c", "#include <assert.h>\n// Adds one.\nlong add_one(long n) {\n", "}\nint main() {\n    assert(add_one(3) == 4);\n}\n", []string{
		"#include <stdio.h>\n\nlong add_one(long n) {\n    return n + 1 + BAD;\n}\n\nint main(void) {\n    printf(\"%ld\", add_one(3));\n    return 0;\n}\n",
	}},
	{"python", "def add_one(n: int) -> int:\n    \"\"\"Adds one.\n    \"\"\"\n", "def check(candidate):\n    assert candidate(3) == 4\n\ndef test_check():\n    check(add_one)\n\ntest_check()\n", []string{
		"from __future__ import annotations\n\n\ndef add_one(n: int) -> int:\n    return n + 1 + BAD\n\n\nif __name__ == \"__main__\":\n    print(add_one(int(\"3\")))\n",
	}},
}

// TestWholeAnswers: a whole file is judged by the function in it, in every language that is installed.
func TestWholeAnswers(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range multiPLE {
		task := &benchmark.Task{ID: tt.language, Language: tt.language, Prompt: tt.prompt, Tests: benchmark.Tests{Style: benchmark.Script, Script: tt.tests}}
		task.EntryPoint = entryOf(task)
		if tt.language == "go" {
			task.Prompt, task.Tests.Setup = "// Adds one.\nfunc add_one(n int) int {\n", "package main\n\n"
		}
		t.Run(tt.language, func(t *testing.T) {
			sampled.Row(t, 6)
			t.Parallel()
			if err := j.Ready(task); err != nil {
				t.Skip(err)
			}
			for _, answer := range tt.answers {
				for bad, want := range map[string]verdicts.Verdict{"0": verdicts.Accepted, "1": ""} {
					text := "```" + tt.language + "\n" + strings.ReplaceAll(answer, "BAD", bad) + "```\n"
					code := extract.Code(text, task).Code
					r, err := j.Judge(t.Context(), verdicts.Submission{Task: task, Code: code})
					if err != nil || want != "" && r.Verdict != want || want == "" && r.Verdict != verdicts.WrongAnswer && r.Verdict != verdicts.RuntimeError {
						t.Errorf("BAD %s: %s %s (%v)\n%s\n%s", bad, r.Verdict, r.Message, err, r.Stderr, assemble.Join(task, code, assemble.Solution))
					}
				}
			}
		})
	}
}

func entryOf(task *benchmark.Task) string {
	switch task.Language {
	case "csharp":
		return "AddOne"
	case "java", "scala":
		return "addOne"
	}
	return "add_one"
}

// TestWholeFilesOfPython: a file may read input and run its own tests when it is loaded; one that exits is not accepted.
func TestWholeFilesOfPython(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	task := &benchmark.Task{ID: "t", Language: "python", EntryPoint: "f", Prompt: "def f(x):\n    \"\"\" Doc. \"\"\"\n", Tests: benchmark.Tests{Style: benchmark.Check, Check: "def check(candidate):\n    assert candidate(1) == 2\n"}}
	const f = "def f(x):\n    return x + 1\n\n"
	for code, want := range map[string]verdicts.Verdict{
		f + "print(f(int(input())))\n": verdicts.Accepted,
		"import unittest\n" + f + "class T(unittest.TestCase):\n    def test(self): self.fail()\n\nunittest.main()\n": verdicts.Accepted,
		f + "if __name__ == '__main__':\n    raise ValueError\n":                                                      verdicts.Accepted,
		"\ufefffrom __future__ import annotations\n" + f:                                                              verdicts.Accepted,
		"import sys\n" + f + "sys.exit(0)\n":                                                                          verdicts.RuntimeError,
		"x = input()\n" + f:                                                                                           verdicts.RuntimeError,
	} {
		if r := judgeCode(t, j, task, code); r.Verdict != want {
			t.Errorf("%q: %s %s, want %s", code, r.Verdict, r.Message, want)
		}
	}
}
