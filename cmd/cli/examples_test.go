package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/cmd/cli/console"
	"assay/data/fatal"
)

// exampleFiles are the files in the examples, in addition to those of every tree: a name, and the existing
// file with its content.
var exampleFiles = map[string]string{
	"HumanEval.jsonl.gz": "humaneval.json", "leetcode.jsonl.gz": "tasks.json", "mine.json": "tasks.json", "exercises.csv": "exercises",
	"answer.py": "sum.py", "solution.py": "sum.py", "src/sum.py": "sum.py", "statement.md": "prompt.md", "split_bill.py": "sum.py",
	"tasks.csv": "t.csv", "attempts.csv": "a.csv", "ratings.csv": "r.csv", "session.json": "log.json", "round1.jsonl": "round.jsonl", "study.assay": "bundle.assay",
	"gpt-4/results.jsonl": "results/results.jsonl", "claude/results.jsonl": "other/results.jsonl",
	"results/gpt4/results.jsonl": "results/results.jsonl", "results/bard/results.jsonl": "other/results.jsonl",
	"samples.jsonl": "ten samples", "damaged.db": "copy.db", "rates.csv": "rates",
}

// onlyParsed are examples that cannot be run in a test, by their beginning, with the reason.
var onlyParsed = map[string]string{
	"assay --study":                           "the code is of a study of one's own",
	"assay session export --samples":          "its sessions have no judged answers: TestScripts has it",
	"assay serve study":                       "it serves until it is stopped",
	"assay serve --ratings":                   "it serves until it is stopped",
	"assay serve --estimates":                 "it serves until it is stopped",
	"assay study watch --every":               "it repeats until it is stopped",
	"assay doctor":                            "the machine may lack something",
	"assay worker":                            "it needs a server",
	"ASSAY_NATS=":                             "it needs a server",
	"assay tasks check":                       "it runs every solution, many times: TestScripts has it",
	"assay tasks harden":                      "it runs solutions, many times: TestScripts has it",
	"assay tasks from-git":                    "the repository is one's own: TestScripts has it",
	"assay tasks new":                         "it runs the solution, many times: TestScripts has it",
	"assay run tester":                        "its models are of one's own",
	"assay run code":                          "the run is one's own: TestScripts has it",
	"assay run generate":                      "its models are of one's own",
	"assay eval run":                          "its models are of one's own",
	"assay prompts write":                     "its models are of one's own",
	"assay models check":                      "its models are of one's own",
	"assay models add":                        "its servers are of one's own",
	"assay rate":                              "to plan ratings takes answers that were run: TestScripts has it",
	"assay study collect":                     "it collects what other machines worked: TestScripts has it",
	"assay study reserve":                     "the study of the tree is not frozen: TestScripts has it",
	"assay study pack":                        "the study of the tree is not frozen: TestScripts has it",
	"assay study join":                        "the file is of a study of one's own: TestScripts has it",
	"assay study tour":                        "it takes a while: TestScripts has it",
	"assay study unblind":                     "the study of the tree is not blind",
	"assay study power":                       "it takes minutes",
	"assay session export --bundle ann.assay": "the session of the tree is of no study: TestManyTestersAreCollected has it",
	"assay study allow":                       "the session of the tree is finished",
	"assay study close":                       "the session of the tree is finished",
	"assay session restore ~":                 "the copy is on the reader's machine",
	"assay session salvage --out /mnt":        "the disk is on the reader's machine",
	"assay study withdraw --tester":           "the session of the tree has no tester",
	"assay difficulty run":                    "the run is one's own",
	"assay difficulty browse run":             "the run is one's own",
	"assay difficulty humaneval-run":          "the run is one's own",
	"assay difficulty classeval-run":          "the run is one's own",
	"assay difficulty report humaneval":       "the run is one's own",
	"assay difficulty round round2":           "it goes on with what others estimated",
	"assay tasks draw core-r --repeat":        "it repeats a draw: TestScripts has it",
	"assay difficulty items a=results-a":      "the results are one's own",
	"assay run batch one-model.toml":          "the items are one's own",
	"assay difficulty simulate run":           "the run is one's own",
	"assay eval samples.jsonl --tasks HumanEval.jsonl.gz --adaptive": "the items are one's own",
	"assay difficulty refuse":                     "it goes on with what others estimated",
	"assay difficulty accept":                     "it goes on with what others estimated",
	"assay tasks export terminal-bench":           "the tree has no task directories: TestTaskDirectories has them",
	"assay tasks export mine.json --to humaneval": "the tasks of the tree have no tests of that kind",
}

// shellWords matches the words of a command line, quoted or not.
var shellWords = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`)

// exampleArgs returns the arguments of an example and the file for its output; nil if the line is no
// command of assay.
func exampleArgs(line string) []string {
	line, _, _ = strings.Cut(line, " > ")
	words := shellWords.FindAllString(line, -1)
	for len(words) > 0 && strings.Contains(words[0], "=") { // the environment
		words = words[1:]
	}
	if len(words) == 0 || words[0] != "assay" {
		return nil
	}
	for i, w := range words {
		words[i] = strings.Trim(w, `'"`)
	}
	return words[1:]
}

// eachExample calls do with every line of every verb's examples.
func eachExample(t *testing.T, do func(verb, line string, args []string)) {
	t.Helper()
	eachVerb(t, func(name string, cmd *cobra.Command) {
		n := 0
		for line := range strings.Lines(cmd.Example) {
			if args := exampleArgs(strings.TrimSpace(line)); args != nil {
				n++
				do(name, strings.TrimSpace(line), args)
			}
		}
		noun := cmd.HasParent() && cmd.HasSubCommands() && cmd.ValidateArgs([]string{"x"}) != nil // which only prints its help
		if n == 0 && !noun {
			t.Errorf("assay %s has no example", name)
		}
	})
}

// parses fails the test if the verb or a flag does not exist, or the verb takes other arguments.
func parses(t *testing.T, line string, args []string) {
	t.Helper()
	cmd, rest, err := newRoot(console.System()).Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if errors.Is(err, pflag.ErrHelp) {
		err = nil
	}
	if err == nil && cmd.Hidden {
		err = errors.New("the verb is an old one")
	}
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

func TestExamplesAreValid(t *testing.T) {
	used := map[string]bool{}
	eachExample(t, func(_, line string, args []string) {
		parses(t, line, args)
		for begin := range onlyParsed {
			used[begin] = used[begin] || strings.HasPrefix(line, begin)
		}
	})
	for begin := range onlyParsed {
		if !used[begin] {
			t.Errorf("no example begins with %q", begin)
		}
	}
}

// Every example that can be run succeeds.
func TestExamplesRun(t *testing.T) {
	tr := newTree(t)
	tr.addExampleFiles()
	ran := map[string]bool{}
	eachExample(t, func(verb, line string, args []string) {
		for begin := range onlyParsed {
			if strings.HasPrefix(line, begin) {
				return
			}
		}
		if ran[line] {
			return
		}
		ran[line] = true
		tr.renew()
		for i, word := range args { // which is written, and is there already
			switch {
			case word == "init":
				os.Remove("study.toml")
			case word == "round":
				os.Remove(args[i+1])
			case i > 0 && (args[i-1] == "--out" || args[i-1] == "--bundle"):
				os.RemoveAll(word)
			}
		}
		said, code := tr.run(args)
		screen := code == console.ExitUsage && strings.Contains(said, "need") && strings.Contains(said, "a terminal")
		if !screen && !slices.Contains([]int{console.ExitOK, console.ExitPartial}, code) && !(code == console.ExitUsage && strings.Contains(said, "for good")) {
			t.Errorf("%s: exit code %d\n%.600s", line, code, said)
		}
	})
	t.Logf("%d examples", len(ran))
}

// addExampleFiles adds the files of examples to the pristine folder.
func (tr *tree) addExampleFiles() {
	tr.t.Helper()
	task := treeFiles["tasks.json"][strings.Index(treeFiles["tasks.json"], `{"id"`):]
	task = strings.TrimSuffix(task, "]}")
	tasks := strings.TrimSuffix(treeFiles["tasks.json"], "]}")
	for n := range 12 {
		tasks += ", " + strings.Replace(task, `"add"`, fmt.Sprintf(`"HumanEval/%d"`, 100+n), 1)
	}
	text := map[string]string{
		"ten samples":    strings.Repeat(treeFiles["samples.jsonl"], 10),
		"humaneval.json": tasks + "]}",
		"rates":          "id,human_pass_rate\nmerge-shifts,0.5\n",
		"exercises":      "id,title,language,description,reference\nadd,Add,python,Add two numbers.,x = 1\n",
	}
	for name, from := range exampleFiles {
		content, made := text[from]
		if !made {
			read := fatal.Read(tr.t, filepath.Join(tr.pristine, from))
			content = string(read)
		}
		path := filepath.Join(tr.pristine, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			tr.t.Fatal(fmt.Errorf("%s: %w", name, err))
		}
	}
}
