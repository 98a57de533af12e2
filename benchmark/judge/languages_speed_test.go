package judge_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/format"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
)

// plainly is how a program and its tests are run without assay, in a directory of their own.
type plainly struct {
	file    string // the source
	source  func(whole string) string
	command string // of a shell
}

var goTests = regexp.MustCompile(`(?m)^func (Test\w*)\(`)

// plainGo gives tests the main function that runs them.
func plainGo(whole string) string {
	whole = judge.GoImported(whole)
	for _, m := range goTests.FindAllStringSubmatch(whole, -1) {
		whole += fmt.Sprintf("\nfunc main() {\n\tall := func(_, _ string) (bool, error) { return true, nil }\n"+
			"\ttesting.Main(all, []testing.InternalTest{{Name: %[1]q, F: %[1]s}}, nil, nil)\n}\n", m[1])
	}
	return whole
}

func asIs(whole string) string { return whole }

var plainCommands = map[string]plainly{
	"js":    {"main.js", asIs, "node main.js"},
	"java":  {"Main.java", asIs, "javac Main.java && java -ea Main"},
	"go":    {"main.go", plainGo, "go build -o main . && ./main"},
	"gorun": {"main.go", plainGo, "go run ."},
	"cpp":   {"main.cpp", asIs, "g++ -std=gnu++17 -o main main.cpp && ./main"},
}

// lay writes the references as programs that need no assay, and returns their directories.
func (p plainly) lay(b *testing.B, tasks []*benchmark.Task) (dirs []string) {
	root := b.TempDir()
	for i, task := range tasks {
		dir := filepath.Join(root, fmt.Sprint(i))
		whole := p.source(task.Tests.Setup + task.Reference + "\n" + task.Tests.Script)
		files := map[string]string{p.file: whole}
		if task.Language == "go" {
			files["go.mod"] = "module x\nrequire github.com/stretchr/testify v0.0.0\nreplace github.com/stretchr/testify => ../testify\n"
		}
		for name, text := range files {
			write(b, filepath.Join(dir, name), text)
		}
		dirs = append(dirs, dir)
	}
	assert, err := os.ReadFile("golang/assert.go.txt")
	if err != nil {
		b.Fatal(err)
	}
	write(b, filepath.Join(root, "testify", "go.mod"), "module github.com/stretchr/testify\n")
	write(b, filepath.Join(root, "testify", "assert", "assert.go"), string(assert))
	return dirs
}

func write(b *testing.B, path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

// twoAtATime runs f for each number below n, and returns the time that it took.
func twoAtATime(n int, f func(i int)) time.Duration {
	started, slots := time.Now(), make(chan struct{}, 2)
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	wg.Wait()
	return time.Since(started)
}

// BenchmarkHumanEvalX judges HumanEval-X's references and runs them with the plain commands,
// two at a time, in turn: `go test ./benchmark/judge -run '^$' -bench HumanEvalX -benchtime 5x
// -timeout 1h`. Each round has a new Judge. What a Judge keeps on the disk for the next is not
// there in the first. ratio is the median of the rounds' ratios of samples a second.
// ASSAY_EVERY=10 takes every tenth task.
func BenchmarkHumanEvalX(b *testing.B) {
	step := every(1)
	for _, language := range []string{"java", "cpp", "go", "gorun", "js"} {
		b.Run(language, func(b *testing.B) {
			loaded, _, err := format.LoadAs(filepath.Join(shared(b), "datasets", "humanevalx_"+strings.TrimSuffix(language, "run")+".jsonl.gz"), "")
			if err != nil {
				b.Fatal(err)
			}
			var tasks []*benchmark.Task
			for i := 0; i < len(loaded.Tasks); i += step {
				tasks = append(tasks, &loaded.Tasks[i])
			}
			compareWithPlain(b, tasks, plainCommands[language])
		})
	}
}

func compareWithPlain(b *testing.B, tasks []*benchmark.Task, p plainly) {
	dirs := p.lay(b, tasks)
	cache, err := os.MkdirTemp("/var/tmp", "assay-speed-") // boxes have a /tmp of their own
	if err != nil || os.Chmod(cache, 0o755) != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(cache) })
	library, _ := exec.Command("go", "env", "GOCACHE").Output() // its library need not be compiled again
	goCache := strings.TrimSpace(string(library))
	b.Setenv("XDG_CACHE_HOME", cache)
	b.Setenv("GOCACHE", goCache)
	// The commands get what a user's shell gives them, without what this shell adds.
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "GOCACHE=" + goCache, "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local"}
	plain := func(i int) {
		cmd := exec.Command("/bin/sh", "-c", p.command)
		cmd.Dir, cmd.Env = dirs[i], env
		cmd.Run() // some references are known to fail
	}
	plain(0) // Go may have to compile its library
	var ratios, ours, theirs []float64
	for round := 0; b.Loop(); round++ {
		b.StopTimer()
		if p.file == "main.go" { // or its cache knew the program
			for _, dir := range dirs {
				text, _ := os.ReadFile(filepath.Join(dir, p.file))
				write(b, filepath.Join(dir, p.file), fmt.Sprintf("%s\nconst round%d = %d\n", text, round, round))
			}
		}
		b.StartTimer()
		without := twoAtATime(len(tasks), plain)
		with := judgeAll(b, tasks)
		ratio := without.Seconds() / with.Seconds()
		ratios = append(ratios, ratio)
		ours, theirs = append(ours, float64(len(tasks))/with.Seconds()), append(theirs, float64(len(tasks))/without.Seconds())
		b.Logf("round %d: plain %.1f/s, assay %.1f/s, ratio %.2f", round+1, theirs[round], ours[round], ratio)
	}
	b.ReportMetric(ratios[0], "first-ratio")
	for _, list := range [][]float64{ratios, ours, theirs} {
		slices.Sort(list)
	}
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
	b.ReportMetric(ratios[0], "min-ratio")
	b.ReportMetric(ratios[len(ratios)-1], "max-ratio")
	b.ReportMetric(ours[len(ours)/2], "samples/s")
	b.ReportMetric(theirs[len(theirs)/2], "plain/s")
	b.ReportMetric(0, "ns/op")
}

// judgeAll judges the references with a new Judge, whose start counts, and returns the time.
func judgeAll(b *testing.B, tasks []*benchmark.Task) time.Duration {
	started := time.Now()
	j, err := judge.New(judge.Options{Workers: 2})
	if err != nil {
		b.Skip(err)
	}
	defer j.Close()
	var mu sync.Mutex
	accepted := 0
	twoAtATime(len(tasks), func(i int) {
		r, err := j.Judge(b.Context(), verdicts.Submission{Task: tasks[i], Code: tasks[i].Reference, Assembly: assemble.Program})
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			b.Error(err)
		} else if r.Verdict == verdicts.Accepted {
			accepted++
		} else if !strings.Contains(" JavaScript/112 JavaScript/155 JavaScript/162 Go/95 CPP/22 CPP/137 ", " "+tasks[i].ID+" ") {
			b.Errorf("%s: %s %s", tasks[i].ID, r.Verdict, r.Message)
		}
	})
	took := time.Since(started)
	b.Logf("%d of %d accepted", accepted, len(tasks))
	return took
}
