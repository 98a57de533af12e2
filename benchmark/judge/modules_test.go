package judge

import (
	"slices"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/verdicts"
	"assay/data/language"
	"assay/data/sampled"
)

// TestMissingModules: a module that a task's own texts import and boxes do not have is nothing that a sample could help,
// in any language. Ready says so beforehand. What only a sample imports is its own mistake.
func TestMissingModules(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, tt := range []struct {
		language, here, missing string // statements
		module                  string
		code, script            string
		without                 verdicts.Verdict // of a sample that alone has the missing statement
	}{
		{"perl", "use strict;\nuse List::Util qw(sum);\n", "use Not::Here;\n", "Not::Here", "sub f { 2 }\n", "f() == 2 or exit(1);\n", verdicts.CompileError},
		{"lua", "local s = require('string')\n", "lu = require('nothere')\n", "nothere", "function f() return 2 end\n", "assert(f() == 2)\n", verdicts.RuntimeError},
		{"ruby", "require 'set'\n", "require 'not/here'\n", "not/here", "def f() 2 end\n", "raise unless f == 2\n", verdicts.RuntimeError},
		{"r", "library(stats)\n", "library(nothere)\n", "nothere", "f <- function() 2\n", "stopifnot(f() == 2)\n", verdicts.RuntimeError},
		{"javascript", "const assert = require('node:assert');\nconst fs = require('fs');\n", "const x = require('nothere');\n", "nothere", "const f = () => 2;\n", "assert(f() === 2);\n", verdicts.RuntimeError},
		{"php", "<?php\nrequire_once(__FILE__);\n", "<?php\nrequire 'not/here.php';\n", "not/here.php", "function f() { return 2; }\n", "assert(f() === 2);\n", verdicts.RuntimeError},
		{"c", "#include <assert.h>\n", "#include <not/here.h>\n", "not/here.h", "int f(void) { return 2; }\n", "int main(void) { return f() != 2; }\n", verdicts.CompileError},
		{"cpp", "#include <cassert>\n#include <sys/types.h>\n", "# include <boost/nothere.hpp>\n", "boost/nothere.hpp", "int f() { return 2; }\n", "int main() { return f() != 2; }\n", verdicts.CompileError},
		{"go", "package main\n\nimport (\n\t\"fmt\"\n\n\tm \"math\"\n)\n\nvar _ = fmt.Sprint(m.Pi)\n", "package main\n\nimport \"example.org/not/here\"\n", "example.org/not/here",
			"func f() int { return 2 }\n", "func main() { if f() != 2 { panic(f()) } }\n", verdicts.CompileError},
		{"java", "import java.util.*;\nimport static java.lang.Math.max;\n", "import org.nothere.*;\n", "org.nothere.*", "class F { static int f() { return 2; } }\n",
			"public class Main { public static void main(String[] args) { if (F.f() != 2) throw new RuntimeException(); } }\n", verdicts.CompileError},
		{"rust", "use std::fmt;\nmod own { pub fn g() {} }\nuse own::g;\n", "use nothere::Rng;\n", "nothere", "fn f() -> i32 { 2 }\n", "fn main() { assert!(f() == 2); }\n", verdicts.CompileError},
	} {
		t.Run(tt.language, func(t *testing.T) {
			sampled.Row(t, 6)
			task := func(setup string) *benchmark.Task {
				return &benchmark.Task{ID: "t", Language: tt.language, Tests: benchmark.Tests{Style: benchmark.Script, Setup: setup, Script: tt.script}}
			}
			if err := j.Ready(&benchmark.Task{Language: tt.language, Tests: benchmark.Tests{Style: benchmark.Stdin}}); err != nil {
				t.Skip(err)
			}
			if r := judgeCode(t, j, task(tt.here), tt.code); r.Verdict != verdicts.Accepted {
				t.Errorf("with what is here: %s %q", r.Verdict, r.Message)
			}
			missing := task(tt.missing)
			r := judgeCode(t, j, missing, tt.code)
			if r.Verdict != verdicts.NotJudged || !r.MissingTool || !strings.Contains(r.Message, "the task itself imports "+tt.module+", which programs in ") {
				t.Errorf("with what is missing: %s %q", r.Verdict, r.Message)
			}
			if err := j.Ready(missing); err == nil || err.Error() != r.Message {
				t.Errorf("beforehand: %v", err)
			}
			if tt.language == "php" || tt.language == "go" { // one beginning stands in the setup only
				return
			}
			if r := judgeCode(t, j, task(""), tt.missing+tt.code); r.Verdict != tt.without {
				t.Errorf("in the sample: %s %q", r.Verdict, r.Message)
			}
		})
	}
}

// TestImportsOfLanguages: the modules that texts import, except those that come with the language.
func TestImportsOfLanguages(t *testing.T) {
	for _, tt := range []struct{ name, language, text, want string }{
		{"a comment in Perl", "perl", "# use Not::Here;\nuse 5.010;\nuse warnings;\nuse Test::Deep;\n", "Test::Deep"},
		{"MultiPL-E's Lua", "lua", "lu = require('luaunit')\n\nfunction test() end\n", "luaunit"},
		{"a guarded require", "ruby", "begin\n  require 'x'\nrescue LoadError\nend\nrequire \"test/unit\"\n", "test/unit"},
		{"a file beside the program", "javascript", "const a = require('./a');\nimport b from 'b';\n// require('c')\n", "b"},
		{"a package with a scope", "typescript", "import { x } from '@a/b';\n", "@a/b"},
		{"messages kept back", "r", "suppressPackageStartupMessages(library(dplyr))\n  library(x)\n", "dplyr"},
		{"headers", "cpp", "#include<bits/stdc++.h>\n#include <boost/any.hpp>\n#include \"own.h\"\n#include<openssl/md5.h>\n", "boost/any.hpp openssl/md5.h"},
		{"a test of Go", "go", "import (\n    \"testing\"\n    \"github.com/stretchr/testify/assert\"\n)\nvar s = []string{\n\t\"a.b/c\",\n}\n", "github.com/stretchr/testify/assert"},
		{"tuples of Java", "java", "import java.util.*;\nimport org.javatuples.*;\n", "org.javatuples.*"},
		{"Haskell", "haskell", "import Data.List (sort)\nimport qualified Data.Vector as V\n", "Data.Vector"},
		{"C#", "csharp", "using System.Numerics;\nusing Newtonsoft.Json;\nnamespace A { using B; }\n", "Newtonsoft.Json"},
		{"Scala", "scala", "import scala.math._\nimport org.scalatest._\n", "org.scalatest._"},
		{"Kotlin", "kotlin", "import kotlin.math.*\nimport org.junit.Test\n", "org.junit.Test"},
		{"D", "d", "import std.stdio;\nimport vibe.d;\n", "vibe.d"},
		{"Racket", "racket", "#lang racket\n(require rackunit)\n", "rackunit"},
		{"Clojure", "clojure", "(require '[clojure.test :refer [deftest]])\n(ns a (:require [cheshire.core :as c]))\n", "cheshire.core"},
		{"Julia, and prose", "julia", "\"\"\"\nusing Numbers that are even\n\"\"\"\nusing Test\n", "Test"},
		{"Swift", "swift", "import Foundation\nimport Numerics\n", "Numerics"},
		{"OCaml, and its own module", "ocaml", "module M = struct end\nopen M\nopen Base\n", "Base"},
		{"Rust, and its own module", "rust", "mod shapes {}\nuse shapes::S;\nuse rand::Rng;\n", "rand"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sampled.Row(t, 6)
			if got := language.Find(tt.language).Imports.Of([]string{tt.text}); !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
