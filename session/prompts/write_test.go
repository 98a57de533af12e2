package prompts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"assay/benchmark"
	"assay/data/fatal"
	"assay/session/llm"
)

// plain are templates whose requests name their purpose.
func plain(t testing.TB) *Templates {
	t.Helper()
	templates, err := LoadTemplates(fstest.MapFS{
		"level-1.tmpl":  {Data: []byte("LEVEL1 {{.Statement}}{{range .Others}} NOT {{.}}{{end}}")},
		"level-2.tmpl":  {Data: []byte("LEVEL2 from {{.Before}} AVOID{{range .Avoid}} {{.}}{{end}}")},
		"level-3.tmpl":  {Data: []byte("LEVEL3 from {{.Before}}")},
		"rephrase.tmpl": {Data: []byte("AGAIN {{.Text}}{{range .Others}} NOT {{.}}{{end}}")},
	}, "here", TemplateNames())
	fatal.If(t, err)
	return templates
}

// scribe is a prompt model that answers with the function answer.
type scribe struct {
	mu     sync.Mutex
	asked  []string
	answer func(text string, n int) (llm.Answer, error)
}

func (s *scribe) Stream(ctx context.Context, req llm.Request, _ func(string)) (llm.Answer, error) {
	s.mu.Lock()
	s.asked = append(s.asked, strings.TrimSpace(req.Messages[0].Text))
	n := len(s.asked)
	s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, err
	}
	return s.answer(req.Messages[0].Text, n)
}

func says(format string) func(string, int) (llm.Answer, error) {
	return func(_ string, n int) (llm.Answer, error) {
		return llm.Answer{Text: fmt.Sprintf(format, n), FinishReason: "stop", InputTokens: 10, OutputTokens: 2}, nil
	}
}

func medians(n int) []*benchmark.Task {
	var list []*benchmark.Task
	for i := range n {
		task := median()
		task.ID = fmt.Sprintf("median-%d", i)
		list = append(list, task)
	}
	return list
}

// Eighteen prompts of a task: the first wording of a level is derived from the previous level, the others
// from the first; each request contains the existing wordings. Existing prompts are not requested again.
func TestWrite(t *testing.T) {
	model := &scribe{answer: says("<prompt>median %d</prompt>")}
	w := &Writer{Client: model, Templates: plain(t), Set: made(t, 1), Now: noon}
	tasks := []*benchmark.Task{median()}
	progress, err := w.Write(t.Context(), tasks)
	if err != nil || progress.Written != 18 || progress.Total != 18 || progress.In != 180 || progress.Out != 36 {
		t.Fatalf("%+v, %v", progress, err)
	}
	for n, want := range map[int]string{
		1: "LEVEL1 Return the median of the numbers xs.", 2: "AGAIN median 1", 3: "AGAIN median 1 NOT median 2",
		7: "LEVEL2 from median 1 AVOID", 8: "AGAIN median 7", 13: "LEVEL3 from median 7",
	} {
		if got := model.asked[n-1]; got != want {
			t.Errorf("request %d is %q, want %q", n, got, want)
		}
	}
	if list := w.Set.For(tasks[0], true); len(list) != 18 || list[7].Name != "context-2.2" || !strings.HasPrefix(list[7].Text, "median 8\n") {
		t.Errorf("%+v", list)
	}
	if progress, err := w.Write(t.Context(), tasks); err != nil || progress.Total != 0 || len(model.asked) != 18 {
		t.Errorf("%+v, %v: %d requests", progress, err, len(model.asked))
	}
	// A rejected prompt is rewritten on request; the request contains the old wording.
	decide(t, w.Set, "ann", 1, 1, Reject, "")
	if places, _ := w.Missing(tasks); len(places) != 0 {
		t.Errorf("%d are missing", len(places))
	}
	w.Rejected = true
	if progress, err := w.Write(t.Context(), tasks); err != nil || progress.Written != 1 {
		t.Errorf("%+v, %v", progress, err)
	}
	if got := model.asked[18]; !strings.HasPrefix(got, "LEVEL1") || !strings.Contains(got, "NOT median 1 ") {
		t.Errorf("the request is %q", got)
	}
}

// A description of the method that names identifiers is requested up to twice more, with the names; then it
// is kept, and flagged.
func TestNamesAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name, answers string // by the number of the request
		asked         int
		flags         string
	}{
		{"at once", "median sorts", 1, ""},
		{"the second", "median calls half_way|median sorts", 2, ""},
		{"never", "median calls half_way|median keeps highEnd|median calls half_way", 3, "it names what the reference solution names: half_way"},
	} {
		answers := strings.Split(tc.answers, "|")
		model := &scribe{answer: func(_ string, n int) (llm.Answer, error) {
			return llm.Answer{Text: answers[n-1], FinishReason: "stop"}, nil
		}}
		w := &Writer{Client: model, Templates: plain(t), Set: made(t, 1), Levels: []int{2}, Wordings: 1, Now: noon}
		if progress, err := w.Write(t.Context(), []*benchmark.Task{median()}); err != nil || progress.Written != 1 {
			t.Errorf("%s: %+v, %v", tc.name, progress, err)
		}
		e := w.Set.Entries(median(), "")[0]
		if flags := Describe(NewChecker(median()).Check(e.Prompt, nil)); e.Candidate.Asked != tc.asked || len(model.asked) != tc.asked || flags != tc.flags {
			t.Errorf("%s: asked %d times, flags %q", tc.name, e.Candidate.Asked, flags)
		}
		if tc.asked == 3 && !strings.HasSuffix(model.asked[2], "AVOID half_way highEnd") {
			t.Errorf("the last request is %q", model.asked[2])
		}
	}
}

// A description that names identifiers is kept if it cannot be requested again: the request fails, its
// answer is unusable, or writing is stopped.
func TestPaidIsKept(t *testing.T) {
	named := llm.Answer{Text: "median calls half_way", FinishReason: "stop", InputTokens: 10, OutputTokens: 2}
	for _, tc := range []struct {
		name   string
		second func(stop func()) (llm.Answer, error) // nil: it is stopped with the first
		asked  int
		out    int
	}{
		{"it fails", func(func()) (llm.Answer, error) {
			return llm.Answer{}, &llm.Error{Class: llm.Server, Message: "it broke"}
		}, 2, 2},
		{"no credit", func(func()) (llm.Answer, error) {
			return llm.Answer{}, &llm.Error{Class: llm.Auth, Message: "no key"}
		}, 2, 2},
		{"cut off", func(func()) (llm.Answer, error) {
			return llm.Answer{Text: "median is", FinishReason: "length", OutputTokens: 5}, nil
		}, 2, 7},
		{"refused", func(func()) (llm.Answer, error) {
			return llm.Answer{Text: "no", FinishReason: "refusal", OutputTokens: 1}, nil
		}, 2, 3},
		{"stopped in the second", func(stop func()) (llm.Answer, error) { stop(); return llm.Answer{}, context.Canceled }, 2, 2},
		{"stopped in the first", nil, 1, 2},
	} {
		ctx, stop := context.WithCancel(t.Context())
		model := &scribe{answer: func(_ string, n int) (llm.Answer, error) {
			switch {
			case n == 1 && tc.second == nil:
				stop()
				return named, nil
			case n == 1:
				return named, nil
			}
			return tc.second(stop)
		}}
		w := &Writer{Client: model, Templates: plain(t), Set: made(t, 1), Levels: []int{2}, Wordings: 1, Now: noon}
		progress, err := w.Write(ctx, []*benchmark.Task{median()})
		if progress.Written != 1 || progress.Failed != 0 || err != ctx.Err() || len(model.asked) != tc.asked {
			t.Errorf("%s: %+v, %v after %d requests", tc.name, progress, err, len(model.asked))
		}
		stop()
		list := reopened(t, w.Set).Entries(median(), "")
		if len(list) != 1 || list[0].Text != named.Text || list[0].Candidate.Asked != tc.asked || list[0].Candidate.Out != tc.out || list[0].Candidate.Finish != "stop" {
			t.Errorf("%s: the file has %+v", tc.name, list)
		}
	}
}

// A prompt in progress when writing is stopped is awaited and kept.
func TestStoppedWritingKeeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		client := slow{&scribe{answer: says("median %d")}, 20 * time.Second}
		w := &Writer{Client: llm.Graceful(client, 30*time.Second, nil), Templates: plain(t), Set: made(t, 1), Parallel: 2, Now: noon}
		time.AfterFunc(10*time.Second, stop)
		progress, err := w.Write(ctx, medians(3))
		if !errors.Is(err, context.Canceled) || progress.Written != 2 || len(client.asked) != 2 {
			t.Errorf("%+v, %v after %d requests", progress, err, len(client.asked))
		}
		if again := reopened(t, w.Set); len(again.Tasks()) != 2 {
			t.Errorf("the file has prompts of %v", again.Tasks())
		}
	})
}

// slow is a prompt model with a delay.
type slow struct {
	*scribe
	latency time.Duration
}

func (s slow) Stream(ctx context.Context, req llm.Request, delta func(string)) (llm.Answer, error) {
	answer, err := s.scribe.Stream(ctx, req, delta)
	select {
	case <-time.After(s.latency):
	case <-ctx.Done():
		return llm.Answer{}, ctx.Err()
	}
	return answer, err
}

// A task without a reference solution has level 1 only, and is named.
func TestWithoutReference(t *testing.T) {
	task := median()
	task.Reference = ""
	w := &Writer{Client: &scribe{answer: says("median %d")}, Templates: plain(t), Set: made(t, 1), Now: noon}
	places, without := w.Missing([]*benchmark.Task{task})
	if len(places) != MaxWordings || len(without) != 1 {
		t.Errorf("%d places, %d tasks without a reference", len(places), len(without))
	}
	if in, out := w.Rough(places); in < 50 || out < 50 {
		t.Errorf("about %d and %d tokens", in, out)
	}
}

// A failed request ends its task for this run; finished prompts remain, and the next run requests only the
// others. Errors that concern all requests end the run.
func TestWriteFails(t *testing.T) {
	broken := true
	model := &scribe{}
	model.answer = func(_ string, n int) (llm.Answer, error) {
		if broken && n == 3 {
			return llm.Answer{}, &llm.Error{Class: llm.Server, Message: "it broke"}
		}
		return llm.Answer{Text: fmt.Sprintf("median %d", n), FinishReason: "stop"}, nil
	}
	var told []Progress
	w := &Writer{Client: model, Templates: plain(t), Set: made(t, 1), Levels: []int{1}, Wordings: 4, Parallel: 1, Now: noon, Progress: func(p Progress) { told = append(told, p) }}
	tasks := medians(2)
	progress, err := w.Write(t.Context(), tasks)
	if err != nil || progress.Written != 6 || progress.Failed != 1 || progress.Total != 8 || len(told) != 7 || told[2].Err == nil || told[2].Name != "context-1.3" {
		t.Fatalf("%+v, %v, told %+v", progress, err, told)
	}
	broken = false
	if progress, err = w.Write(t.Context(), tasks); err != nil || progress.Written != 2 || len(model.asked) != 9 {
		t.Errorf("%+v, %v after %d requests", progress, err, len(model.asked))
	}
	for _, failure := range []error{&llm.Error{Class: llm.Auth, Message: "no key"}, &llm.Error{Class: llm.Unreachable, Message: "nobody there"}} {
		model := &scribe{answer: func(string, int) (llm.Answer, error) { return llm.Answer{}, failure }}
		w := &Writer{Client: model, Templates: plain(t), Set: made(t, 1), Parallel: 1, Now: noon}
		_, err := w.Write(t.Context(), medians(50))
		if !errors.Is(err, failure) || len(model.asked) > maxFailures {
			t.Errorf("%v: %v after %d requests", failure, err, len(model.asked))
		}
	}
	for name, answer := range map[string]llm.Answer{"cut off": {Text: "x", FinishReason: "length"}, "empty": {Text: "<prompt> </prompt>", FinishReason: "stop"}, "refused": {Text: "no", FinishReason: "refusal"}} {
		w := &Writer{Client: &scribe{answer: func(string, int) (llm.Answer, error) { return answer, nil }}, Templates: plain(t), Set: made(t, 1), Now: noon}
		if progress, err := w.Write(t.Context(), []*benchmark.Task{median()}); err != nil || progress.Failed != 1 || progress.Written != 0 {
			t.Errorf("%s: %+v, %v", name, progress, err)
		}
	}
}

// When the context ends no more requests are sent, and finished prompts are kept.
func TestWriteIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	model := &scribe{}
	model.answer = func(_ string, n int) (llm.Answer, error) {
		if n == 5 {
			cancel()
			return llm.Answer{}, ctx.Err()
		}
		return llm.Answer{Text: fmt.Sprintf("median %d", n), FinishReason: "stop"}, nil
	}
	w := &Writer{Client: model, Templates: plain(t), Set: made(t, 1), Parallel: 1, Now: noon}
	tasks := medians(3)
	progress, err := w.Write(ctx, tasks)
	if !errors.Is(err, context.Canceled) || progress.Written != 4 || len(model.asked) != 5 {
		t.Errorf("%+v, %v after %d requests", progress, err, len(model.asked))
	}
	again, err := Open(w.Set.Path)
	if err != nil || len(again.For(tasks[0], true)) != 4 {
		t.Errorf("the file has %d, %v", len(again.For(tasks[0], true)), err)
	}
}

// Many tasks are written concurrently and completely, never more at a time than allowed.
func TestWriteParallel(t *testing.T) {
	const parallel = 3
	running := make(chan struct{}, parallel)
	model := &scribe{answer: func(_ string, n int) (llm.Answer, error) {
		select {
		case running <- struct{}{}:
		default:
			t.Error("more requests at a time than allowed")
		}
		<-running
		return llm.Answer{Text: fmt.Sprintf("median %d", n), FinishReason: "stop"}, nil
	}}
	w := &Writer{Client: model, Templates: plain(t), Set: made(t, 1), Parallel: parallel, Now: noon}
	tasks := medians(20)
	if progress, err := w.Write(t.Context(), tasks); err != nil || progress.Written != 20*18 {
		t.Errorf("%+v, %v", progress, err)
	}
	again := reopened(t, w.Set)
	if len(again.Tasks()) != 20 {
		t.Errorf("%d tasks", len(again.Tasks()))
	}
	for _, task := range tasks {
		if n := len(again.For(task, true)); n != 18 {
			t.Errorf("%s has %d", task.ID, n)
		}
	}
}

func TestTemplates(t *testing.T) {
	folder := os.DirFS(filepath.Join("..", "..", "data", "prompts"))
	bundled, err := LoadTemplates(folder, "data", TemplateNames())
	fatal.If(t, err)
	task := median()
	w := &Writer{Templates: bundled, Set: made(t, 1)}
	for level := 1; level <= 3; level++ {
		file, fields, err := w.fields(Place{task, level, 1})
		fatal.If(t, err)
		fields.Avoid = []string{"half_way", "idx"}
		text, err := bundled.Render(file, fields)
		fatal.If(t, err)
		if got := strings.Contains(text, "highEnd"); got != (level > 1) {
			t.Errorf("level %d sees the reference: %v\n%s", level, got, text)
		}
		if !strings.Contains(text, "Return the median") || !strings.Contains(text, "<prompt>") || strings.Contains(text, "[3, 1, 2]") || strings.Contains(text, "\n\n\n") || (level == 2) != strings.Contains(text, "half_way, idx") {
			t.Errorf("level %d is asked for by\n%s", level, text)
		}
	}
	if plain(t).Hash() == bundled.Hash() || len(bundled.Hash()) != 16 {
		t.Errorf("hash %s", bundled.Hash())
	}
	for _, tc := range []struct{ text, want string }{
		{"{{.Statment}}", "level-1.tmpl:1"}, {"{{if}}", "level-1.tmpl:1"},
	} {
		bad := fstest.MapFS{"level-1.tmpl": {Data: []byte(tc.text)}}
		for _, name := range TemplateNames()[1:] {
			bad[name] = &fstest.MapFile{Data: []byte("x")}
		}
		if _, err := LoadTemplates(bad, "mine", TemplateNames()); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.text, err)
		}
	}
	if _, err := LoadTemplates(fstest.MapFS{}, "mine", TemplateNames()); err == nil || !strings.Contains(err.Error(), "assay prompts templates") {
		t.Errorf("no templates: %v", err)
	}
}

func TestPromptIn(t *testing.T) {
	for _, tc := range []struct{ answer, want string }{
		{" Write it. ", "Write it."},
		{"Sure!\n<prompt>\nWrite it.\n</prompt>\nDone.", "Write it."},
		{"<prompt>Write it.", "Write it."},
		{"```text\nWrite it.\n```", "Write it."},
		{"\"Write it.\"", "Write it."},
		{"\"\"\"Write \"it\".\"\"\"", "Write \"it\"."},
		{"\"a\" and \"b\"", "\"a\" and \"b\""},
		{"Use ```x``` here", "Use ```x``` here"},
	} {
		if got := PromptIn(tc.answer); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.answer, got, tc.want)
		}
	}
}

// The prompts written without a model.
func TestLevels(t *testing.T) {
	task := median()
	task.Constraints = []string{"at least one number"}
	list := append(Levels(task), Statement(task))
	var names []string
	for i, p := range list {
		names = append(names, p.Name)
		if p.Task != "median" || p.Review != "" || strings.Contains(p.Text, "at least one") != (i > 0) || strings.Contains(p.Text, "[3, 1, 2]") != (i > 1) {
			t.Errorf("%+v", p)
		}
	}
	if want := []string{"level-1", "level-2", "level-3", "statement"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	task.Prompt = "def median(xs):\n"
	if got := Statement(task).Text; got != task.Prompt {
		t.Errorf("the statement is %q", got)
	}
	task.ContextLevels = []string{"one", "two"}
	if got := Context(task); len(got) != 2 || got[1].Name != "context-2" || got[1].Text != "two\n\nWrite it in Python with this signature:\n\n    median(xs: list)\n" {
		t.Errorf("%+v", got)
	}
}
