package extract_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/benchmark"
	"assay/benchmark/extract"
	"assay/benchmark/format"
	"assay/data/fatal"
)

// wrappers are the ways in which models wrap a program; label is the language's name after a fence.
var wrappers = []struct {
	name string
	wrap func(label, code string) string
}{
	{"nothing", func(_, code string) string { return code }},
	{"fence", func(label, code string) string { return "```" + label + "\n" + code + "```\n" }},
	{"fence without a label", func(_, code string) string { return "```\n" + code + "```" }},
	{"prose around", func(label, code string) string {
		return "Sure! Here is a solution:\n\n```" + label + "\n" + code + "```\n\nIt takes linear time, and `n` may be 0.\n"
	}},
	{"tildes", func(label, code string) string { return "~~~" + label + "\n" + code + "~~~\n" }},
	{"four backticks", func(label, code string) string { return "````" + label + "\n" + code + "````\n" }},
	{"capital label", func(label, code string) string {
		return "```" + strings.ToUpper(label[:1]) + label[1:] + "\n" + code + "```\n"
	}},
	{"attributes", func(label, code string) string {
		return "```" + label + " title=\"solution\" {.numberLines}\n" + code + "```\n"
	}},
	{"item of a list", func(label, code string) string {
		return "1. The program:\n\n   ```" + label + "\n" + indent(code, "   ") + "   ```\n\n2. It ends.\n"
	}},
	{"quote", func(label, code string) string {
		return "> ```" + label + "\n" + indent(code, "> ") + "> ```\n"
	}},
	{"Windows line ends", func(label, code string) string {
		return strings.ReplaceAll("Here:\n```"+label+"\n"+code+"```\n", "\n", "\r\n")
	}},
	{"byte-order mark", func(label, code string) string { return "\ufeff```" + label + "\n" + code + "```\n" }},
	{"cut off", func(label, code string) string { return "Here:\n```" + label + "\n" + code }},
	{"end token behind the fence", func(label, code string) string { return "```" + label + "\n" + code + "```<|im_end|>" }},
	{"end of text, and another turn", func(label, code string) string {
		return "```" + label + "\n" + code + "```<|endoftext|>Human: another one\n```" + label + "\nno = 1\n```\n"
	}},
	{"end token on its line", func(label, code string) string { return "```" + label + "\n" + code + "```\n</s>" }},
	{"turn of a chat", func(label, code string) string {
		return "<|im_start|>assistant\n```" + label + "\n" + code + "```<|im_end|>\n"
	}},
	{"prefilled fence", func(_, code string) string { return code + "```\n\nThis runs in linear time.\n" }},
	{"prefilled fence, with an example", func(label, code string) string {
		return code + "```\n\n### Example\n\n```text\n1 2 3\n```\n"
	}},
	{"thinking", func(label, code string) string {
		return "<think>\nFirst:\n```" + label + "\n" + strings.ReplaceAll(code, "return", "ret") + "```\nNo.\n</think>\n\n```" + label + "\n" + code + "```\n"
	}},
	{"thinking without its beginning", func(label, code string) string {
		return "Let me see.\n```" + label + "\nnot it\n```\n</think>\n```" + label + "\n" + code + "```\n"
	}},
	{"thinking of a channel", func(label, code string) string {
		return "<|channel|>analysis<|message|>I need code.<|end|><|start|>assistant<|channel|>final<|message|>```" + label + "\n" + code + "```<|return|>"
	}},
	{"answer in tags", func(label, code string) string {
		return "<reasoning>\nSimple.\n</reasoning>\n<answer>\n```" + label + "\n" + code + "```\n</answer>\n"
	}},
	{"code in tags", func(_, code string) string { return "<code>\n" + code + "</code>\nDone.\n" }},
	{"[BEGIN] and [DONE]", func(_, code string) string { return "[BEGIN]\n" + code + "[DONE]\n" }},
	{"draft before it", func(label, code string) string {
		return "A first idea:\n```" + label + "\n" + half(code) + "\n```\nwhich is not complete. So:\n```" + label + "\n" + code + "```\n"
	}},
	{"shell before, output after", func(label, code string) string {
		return "```bash\npip install numpy\n```\n\n```" + label + "\n" + code + "```\n\nOutput:\n\n```\n[1, 2, 3]\n```\n"
	}},
	{"fence forgotten before the next", func(label, code string) string {
		return "```" + label + "\n" + code + "```text\n1 2\n```\n"
	}},
}

func indent(code, by string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		b.WriteString(by + line)
	}
	return b.String()
}

// half returns a program that is cut off in the middle of a line.
func half(code string) string { return strings.TrimSpace(code[:len(code)/2]) + " (" }

// reference is a program with its task.
type reference struct {
	task *benchmark.Task
	code string
}

// references returns the reference solutions of every data set in reach, as whole programs.
func references(t *testing.T) (all []reference) {
	dir := filepath.Join("..", "..", "..", "shared")
	if set := os.Getenv("ASSAY_SHARED"); set != "" {
		dir = set
	}
	files, err := filepath.Glob(filepath.Join(dir, "datasets", "*.jsonl.gz"))
	fatal.If(t, err)
	if len(files) == 0 {
		t.Skip("no data sets: set ASSAY_SHARED to their folder")
	}
	for _, file := range files {
		b, _, err := format.LoadAs(file, "")
		fatal.If(t, err)
		for i := range b.Tasks {
			if task := &b.Tasks[i]; task.Reference != "" && task.Program() {
				all = append(all, reference{task, strings.TrimRight(strings.ReplaceAll(task.Reference, "\r\n", "\n"), "\n") + "\n"})
			}
		}
	}
	return all
}

// bareForms are wrappers without a fence at the beginning: what is code is told by the grammar alone.
var bareForms = map[string]bool{"nothing": true, "prefilled fence": true, "prefilled fence, with an example": true}

// TestWrappedReferences: whatever models wrap a program in, the program is what is extracted.
func TestWrappedReferences(t *testing.T) {
	t.Parallel()
	failed := map[string]int{}
	n, every := 0, 15 // of a reference, one of so many wrappings is tried; ASSAY_WRAPPINGS tries all
	if os.Getenv("ASSAY_WRAPPINGS") != "" {
		every = 1
	}
	for i, r := range references(t) {
		for k, w := range wrappers {
			if (i+k)%every != 0 {
				continue
			}
			n++
			answer := w.wrap(r.task.Language, r.code)
			if e := extract.Code(answer, r.task); strings.TrimSpace(e.Code) != strings.TrimSpace(r.code) {
				if failed[w.name]++; failed[w.name] <= 2 {
					t.Errorf("%s, %s: by %s: %s\n%s\n--- answer\n%s\n--- code\n%s", r.task.ID, w.name, e.Method, e.Note, firstDifference(e.Code, r.code), clip(answer), clip(e.Code))
				}
			}
		}
	}
	t.Logf("%d wrapped references; not extracted: %v", n, failed)
}

func clip(text string) string { return text[:min(len(text), 1500)] }

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// TestRandomWrappings wraps references at random: in several ways, one within the other where that has a meaning.
// ASSAY_WRAPPINGS is their number.
func TestRandomWrappings(t *testing.T) {
	t.Parallel()
	all := references(t)
	n := 1000
	if set := os.Getenv("ASSAY_WRAPPINGS"); set != "" {
		n, _ = strconv.Atoi(set)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	prose := []string{"", "Sure!\n\n", "Here is the code.\n", "# Solution\n\nWe sort first:\n\n", "<think>I should use `x`.\n</think>\n\n", "<s>", "<thinking>\n```\nx = 1\n```\n"}
	after := []string{"", "\n", "\nThis works.\n", "</s>", "\n**Complexity**: O(n).\n", "<|eot_id|>", "\n```\n3\n```\n", "\n\n- It sorts.\n- It returns.\n"}
	failures := 0
	for range n {
		r, w := all[rng.IntN(len(all))], wrappers[rng.IntN(len(wrappers))]
		before := prose[rng.IntN(len(prose))]
		if strings.HasPrefix(before, "<thinking>") {
			before += "</thinking>\n"
		}
		behind := after[rng.IntN(len(after))]
		if bareForms[w.name] || w.name == "cut off" || w.name == "Windows line ends" || w.name == "byte-order mark" || w.name == "thinking without its beginning" {
			before, behind = "", ""
		}
		answer := before + w.wrap(r.task.Language, r.code) + behind
		if e := extract.Code(answer, r.task); strings.TrimSpace(e.Code) != strings.TrimSpace(r.code) {
			if failures++; failures <= 5 {
				t.Errorf("%s, %s: by %s: %s\n--- answer\n%s\n--- code\n%s", r.task.ID, w.name, e.Method, firstDifference(e.Code, r.code), clip(answer), clip(e.Code))
			}
		}
	}
	t.Logf("%d of %d wrappings are not extracted", failures, n)
}
