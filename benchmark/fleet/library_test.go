package fleet

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// library makes a directory with one package.
func library(t *testing.T, text string) (dir, digest string) {
	t.Helper()
	dir = t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(dir, "package.py"), []byte(text), 0o644))
	digest, err := judge.LibraryDigest(dir)
	fatal.If(t, err)
	return dir, digest
}

// Tasks that declare a library are sent only to workers that have the same files, at any path; until there
// is one, the missing library is reported.
func TestLibrariesGoWhereTheyAre(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "127.0.0.1:0")
	mine, digest := library(t, "x = 1")
	there, same := library(t, "x = 1")
	other, another := library(t, "x = 2")
	if digest != same || digest == another || mine == there {
		t.Fatal("the libraries are not as this test wants them")
	}
	tasks := fakeTasks(2)
	tasks[1].Library = mine
	quickLink := Link{Server: s, Settings: quick()}
	worker := func(name, dir, digest string) *fake {
		card := pythonCard(name)
		card.Libraries = map[string]string{}
		libraries := map[string]string{}
		if dir != "" {
			card.Libraries[digest], libraries[digest] = "python", dir
		}
		f := &fake{workers: 2, before: func(_ context.Context, s verdicts.Submission) error {
			if want := map[string]string{"t/0": "", "t/1": dir}[s.Task.ID]; s.Task.Library != want {
				t.Errorf("%s is to use the library %q, not %q", name, s.Task.Library, want)
			}
			return nil
		}}
		startWorker(t, quickLink, WorkerOptions{Judge: f, Card: card, Libraries: libraries})
		return f
	}
	without, wrong := worker("without", "", ""), worker("wrong", other, another)
	said := make(chan string, 10)
	link := quickLink
	link.Say = func(text string) { said <- text }
	c := startClient(t, link, tasks, nil)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		submit(t, c, tasks, 40, "")
	}()
	text := <-said
	for _, want := range []string{"20 samples wait for a worker for python tasks", "the library " + digest[:12], "without has no such library", "wrong has no such library", " assay worker --library python=DIRECTORY"} {
		if !strings.Contains(text, want) {
			t.Errorf("what is said lacks %q: %s", want, text)
		}
	}
	before := func() int64 { return without.judged.Load() + wrong.judged.Load() }
	until(t, func() bool { return before() == 20 }) // those that need no library
	fits := worker("fits", there, same)
	<-asked
	if fits.judged.Load() != 20 || before() != 20 {
		t.Errorf("%d samples were judged where the library is, and %d elsewhere", fits.judged.Load(), before()-20)
	}
}

// A library missing at the path of its task has no hash: there is no verdict, and the reason is reported.
func TestLibraryThatIsNotHere(t *testing.T) {
	t.Parallel()
	s := startServer(t, t.TempDir(), "")
	tasks := fakeTasks(1)
	tasks[0].Library = filepath.Join(t.TempDir(), "nowhere")
	c := startClient(t, Link{Server: s, Settings: quick()}, tasks, nil)
	r, err := c.Judge(t.Context(), verdicts.Submission{Task: &tasks[0], Code: "x"})
	if err != nil || r.Verdict != verdicts.NotJudged || !strings.Contains(r.Message, "nowhere is not a readable directory") {
		t.Errorf("%s: %s, %v", r.Verdict, r.Message, err)
	}
}
