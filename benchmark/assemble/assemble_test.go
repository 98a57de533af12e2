package assemble

import (
	"testing"

	"assay/benchmark"
)

func TestAssembleOtherLanguages(t *testing.T) {
	const javaPrompt = "import java.util.*;\n\nclass Solution {\n    public int f(int x) {\n"
	for _, tt := range []struct{ name, language, prompt, code, want string }{
		{"an open function", "javascript", "/* doc */\nconst f = (x) => {\n", "const f = x => x", "/* doc */\nconst f = x => x"},
		{"an include", "cpp", "#include <vector>\nusing namespace std;\nint f(int x){\n", "int f(int x){return x;}", "#include <vector>\nusing namespace std;\nint f(int x){return x;}"},
		{"a class of its own", "java", javaPrompt, "class Solution { }", "import java.util.*;\n\n\nclass Solution { }"},
		{"only a method", "java", javaPrompt, "public int f(int x) { return x; }\n}", "import java.util.*;\n\n\nclass Solution {public int f(int x) { return x; }\n}"},
		{"a method with a class not closed", "java", javaPrompt, "public int f(int x) { return x; }", "import java.util.*;\n\n\nclass Solution {public int f(int x) { return x; }\n}\n"},
		{"a class of another name", "java", javaPrompt, "package a;\nimport java.io.*;\npublic class Main { public int f(int x) { return x; } public static void main(String[] a) { } }",
			"import java.util.*; import java.io.*;\n\n\n\n\nclass Solution { public int f(int x) { return x; } public static void assay_answer_main(String[] a) { } }"},
		{"nothing open", "r", "library(stats)\n", "f <- 1", "library(stats)\nf <- 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Join(&benchmark.Task{Language: tt.language, EntryPoint: "f", Prompt: tt.prompt}, tt.code, Solution); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestNoted: a tester reads what was changed in a file so that tests can follow.
func TestNoted(t *testing.T) {
	task := &benchmark.Task{Language: "go", EntryPoint: "f", Prompt: "func f() int {\n", Tests: benchmark.Tests{Style: benchmark.Script}}
	for code, want := range map[string]string{
		"func f() int { return 1 }":                                "It was taken.",
		"package a\n\nfunc f() int { return 1 }\n\nfunc main() {}": "It was taken; its package clause was removed; its main function is not called.",
		"": "It was taken.",
	} {
		if got := Noted("It was taken.", task, code); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}
