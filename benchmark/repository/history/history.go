package history

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/data/language"
	"assay/data/program"
)

// Repository is a git repository of the user's.
type Repository struct {
	dir string // its git directory, which linked work trees share
}

// Open finds the git directory of a clone, a work tree or a bare repository.
func Open(ctx context.Context, dir string) (*Repository, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory: name a clone or a bare git repository", dir)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	out, err := run(ctx, "-C", dir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, fmt.Errorf("%s is no git repository: %w", dir, err)
	}
	return &Repository{strings.TrimSpace(out)}, nil
}

// run runs git without anything that a repository's configuration could start, and returns its output.
func run(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"}, args...)
	cmd := program.Command(ctx, program.Tool, "git", args...)
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=", "LC_ALL=C")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("git is needed to read it: install it (Debian, Ubuntu: apt-get install git): %w", err)
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", fmt.Errorf("git: %s", cmp.Or(strings.TrimSpace(said.String()), err.Error()))
	}
	return out.String(), nil
}

func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	return run(ctx, append([]string{"--git-dir", r.dir}, args...)...)
}

// Commit is a commit that may become a task.
type Commit struct {
	Hash, Base string // Base is its first parent
	Date       string // of the author, YYYY-MM-DD
	Title      string // the first line of the message
	Message    string // without trailers, what git and forges write about merges, and lines that only refer to issues
	merge      string // the line that git or a forge wrote about the merge
	Tests      []string
	Others     []string // changed files that are no tests
}

// Commits returns the commits of a range as git has them (A..B), the oldest first. A merge is one commit that changes
// what its branch changed, and the commits of the branch are not there; but of a merge of a line of development, which
// itself has merges or is named like one, these are. Commits without parents are left out.
func (r *Repository) Commits(ctx context.Context, span string) ([]Commit, error) {
	if span == "" || strings.HasPrefix(span, "-") {
		return nil, fmt.Errorf("%q is no range of commits: write A..B, as in v1.2..main", span)
	}
	out, err := r.git(ctx, "rev-list", "--topo-order", "--reverse", "--min-parents=1", "--parents", span, "--")
	if err != nil {
		return nil, fmt.Errorf("the range %q cannot be read: %w", span, err)
	}
	w := walk{r: r, parents: map[string][]string{}, taken: map[string]bool{}}
	var last string
	for line := range strings.Lines(out) {
		ids := strings.Fields(line)
		w.parents[ids[0]], last = ids[1:], ids[0]
	}
	if err := w.line(ctx, last); err != nil {
		return nil, err
	}
	return w.commits, nil
}

// walk finds the commits of a range.
type walk struct {
	r       *Repository
	parents map[string][]string // of the range's commits
	taken   map[string]bool     // commits that were visited
	commits []Commit
}

// line visits a line of development up to a commit, by first parents, the oldest first.
func (w *walk) line(ctx context.Context, last string) error {
	var line []string
	for at := last; w.parents[at] != nil && !w.taken[at]; at = w.parents[at][0] {
		w.taken[at] = true
		line = append(line, at)
	}
	for _, hash := range slices.Backward(line) {
		c, err := w.r.read(ctx, hash)
		if err != nil {
			return fmt.Errorf("the commit %s cannot be read: %w", hash, err)
		}
		if others := w.parents[hash][1:]; len(others) > 0 {
			branch := w.branch(others)
			if ofLine.MatchString(c.merge) || slices.ContainsFunc(branch, w.joins) {
				for _, other := range others {
					if err := w.line(ctx, other); err != nil {
						return err
					}
				}
				continue
			}
			if c.Message == "" {
				if c.Message, err = w.r.messages(ctx, branch); err != nil {
					return err
				}
				c.Title, _, _ = strings.Cut(c.Message, "\n")
			}
			for _, of := range branch {
				w.taken[of] = true
			}
		}
		w.commits = append(w.commits, c)
	}
	return nil
}

// joins reports whether a commit merges another branch than one that was visited, as a branch does that keeps up.
func (w *walk) joins(hash string) bool {
	return slices.ContainsFunc(w.parents[hash][1:], func(other string) bool { return w.parents[other] != nil && !w.taken[other] })
}

// branch lists the commits of the range that a merge brought in, the oldest first.
func (w *walk) branch(tips []string) (branch []string) {
	seen := map[string]bool{}
	for len(tips) > 0 {
		at := tips[len(tips)-1]
		tips = tips[:len(tips)-1]
		if w.parents[at] == nil || w.taken[at] || seen[at] {
			continue
		}
		seen[at] = true
		branch = append(branch, at)
		tips = append(tips, w.parents[at]...)
	}
	slices.Reverse(branch)
	return branch
}

// ofLine matches the titles of merges of lines of development.
var ofLine = regexp.MustCompile(`(?i)^merge (remote-tracking )?branch '?([\w.-]+/)?(main|master|trunk|dev|develop|next|stable|release\S*|maint\S*|v?\d+(\.[\dx*]+)+[\w.-]*)'?( |$)`)

// messages returns the messages of commits, as paragraphs.
func (r *Repository) messages(ctx context.Context, hashes []string) (string, error) {
	var all []string
	for _, hash := range hashes {
		text, err := r.git(ctx, "show", "--no-patch", "--no-show-signature", "--format=%B", hash)
		if err != nil {
			return "", err
		}
		if _, text = statement(text); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n\n"), nil
}

func (r *Repository) read(ctx context.Context, hash string) (c Commit, err error) {
	head, err := r.git(ctx, "show", "--no-patch", "--no-show-signature", "--date=format:%Y-%m-%d", "--format=%P%x00%ad%x00%B", hash)
	if err != nil {
		return c, err
	}
	parts := strings.SplitN(head, "\x00", 3)
	if len(parts) != 3 {
		return c, errors.New("git shows it in another form than expected")
	}
	base, _, _ := strings.Cut(parts[0], " ")
	c = Commit{Hash: hash, Base: base, Date: parts[1]}
	c.merge, c.Message = statement(parts[2])
	c.Title, _, _ = strings.Cut(c.Message, "\n")
	names, err := r.git(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-only", c.Base, hash)
	if err != nil {
		return c, err
	}
	for _, name := range strings.Split(strings.TrimSuffix(names, "\x00"), "\x00") {
		if IsTest(name) {
			c.Tests = append(c.Tests, name)
		} else if name != "" {
			c.Others = append(c.Others, name)
		}
	}
	return c, nil
}

var trailer = regexp.MustCompile(`(?i)^(signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|change-id|cc|pr-url|reviewed-on): `)

// merged matches the first line of a merge's message that a program wrote, and refers a line that only names an issue or
// a request: neither says what changes.
var (
	merged = regexp.MustCompile(`(?i)^merged? (in )?(pull request #\d+|(remote-tracking )?branch(es)? ['"\w]|tag ['"\w]|commit '|\S+/\S+ \(pull request #\d+\)).*|^auto merge of #\d+.*`)
	refers = regexp.MustCompile(`(?i)^[-* ]*((close[sd]?|fix(e[sd])?|resolve[sd]?|refs?|references|see|part of|for|related to)( merge request| issue)?:? *)?([\w./-]*[#!]\d+|https?://\S+)([, ]+(and )?([\w./-]*[#!]\d+|https?://\S+))*\.?$`)
)

// statement returns what a message tells of a change, and the line by which a program told of a merge.
func statement(message string) (merge, text string) {
	lines := strings.Split(strings.ReplaceAll(message, "\r\n", "\n"), "\n")
	if merged.MatchString(lines[0]) {
		merge, lines = lines[0], lines[1:]
	}
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return trailer.MatchString(line) || refers.MatchString(strings.TrimSpace(line))
	})
	return merge, strings.TrimSpace(strings.Join(lines, "\n"))
}

var (
	testDirs = []string{"test", "tests", "testing", "testdata", "__tests__", "__snapshots__", "spec", "specs"}
	testName = regexp.MustCompile(`^test_.*\.py$|_test\.(py|go|rs|rb|c|cc|cpp)$|^conftest\.py$|\.(test|spec)\.[cm]?[jt]sx?$|Tests?\.(java|kt|cs|php)$|_spec\.rb$`)
)

// IsTest reports whether a file belongs to the tests, by the names that languages and runners give them.
func IsTest(name string) bool {
	if testName.MatchString(path.Base(name)) {
		return true
	}
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return slices.Contains(testDirs, dir) })
}

// Unsuitable returns why a commit cannot be a task, or "".
func (c *Commit) Unsuitable() string {
	switch {
	case len(c.Tests) == 0:
		return "it changes no tests"
	case !slices.ContainsFunc(c.Others, func(name string) bool { return language.OfFile(name) != "" }):
		return "it changes tests, but no code in a language that assay knows"
	case c.Message == "":
		return "its message says nothing, or only names an issue or a merge"
	}
	return ""
}

// Language returns the language of most of the commit's changed files that are no tests.
func (c *Commit) Language() (most string) {
	count := map[string]int{}
	for _, name := range c.Others {
		if written := language.OfFile(name); written != "" {
			if count[written]++; count[written] > count[most] {
				most = written
			}
		}
	}
	return most
}

// ID returns an id for the commit's task: the beginning of its title, and of its hash.
func (c *Commit) ID() string {
	words := strings.Fields(notInID.ReplaceAllString(strings.ToLower(c.Title), " "))
	id := strings.Join(append(words[:min(len(words), 6)], c.Hash[:8]), "-")
	if benchmark.FolderID(id) != id { // which would take a number at the beginning for the place in the list
		id = "commit-" + id
	}
	return id
}

var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// Task returns the commit as a task whose lists of tests are empty.
func (r *Repository) Task(ctx context.Context, c *Commit, name string, env benchmark.Environment) (*benchmark.Task, error) {
	reference, err := r.diff(ctx, c, c.Others)
	if err != nil {
		return nil, err
	}
	tests, err := r.diff(ctx, c, c.Tests)
	if err != nil {
		return nil, err
	}
	if env.IsZero() {
		manifest, _ := r.git(ctx, "show", c.Hash+":package.json") // most repositories have none
		env = usual(c, tests, manifest)
	}
	return &benchmark.Task{
		ID: c.ID(), Title: c.Title, Description: c.Message, Language: c.Language(), Published: benchmark.Date(c.Date), Reference: reference,
		Source:     benchmark.Source{Title: name, Chapter: c.Hash},
		Repository: &benchmark.Repository{Name: name, Source: r.dir, BaseCommit: c.Base, TestPatch: tests, Environment: env},
	}, nil
}

// diff returns the changes of some files.
func (r *Repository) diff(ctx context.Context, c *Commit, names []string) (string, error) {
	args := []string{"--literal-pathspecs", "diff-tree", "-p", "--binary", "--full-index", "--no-renames", "--no-textconv", "--no-ext-diff", "--no-color", c.Base, c.Hash, "--"}
	return r.git(ctx, append(args, names...)...)
}

// scriptRunners are the runners of tests in JavaScript and TypeScript, by the name of their package, with the format of
// what they print.
var scriptRunners = []struct{ name, command, parser string }{
	{"vitest", "npx vitest run --reporter=json", "jest-json"}, {"jest", "npx jest --json", "jest-json"}, {"mocha", "npx mocha --reporter json", "mocha-json"},
}

// usual returns how the tests of a commit usually run in its language, given its package.json; the zero value if there
// is no usual way.
func usual(c *Commit, tests, manifest string) benchmark.Environment {
	switch c.Language() {
	case "python":
		e := benchmark.Environment{Toolchain: "python", Test: []string{"python3 -m pytest -rA"}, Arguments: benchmark.TestFiles, Parser: "pytest"}
		if strings.Contains(tests, "unittest") && !strings.Contains(tests, "pytest") {
			e.Test, e.Parser = []string{"python3 -m unittest -v"}, "unittest"
		}
		return e
	case "go":
		dirs := map[string]bool{}
		var args []string
		for _, name := range c.Tests {
			if dir := "./" + path.Dir(name); strings.HasSuffix(name, "_test.go") && !dirs[dir] {
				dirs[dir] = true
				args = append(args, "'"+strings.ReplaceAll(dir, "'", `'\''`)+"'")
			}
		}
		return benchmark.Environment{Toolchain: "go", Test: []string{"go test -json -count=1 " + strings.Join(args, " ")}, Parser: "go-test-json"}
	case "javascript", "typescript":
		e := benchmark.Environment{Toolchain: "node", Test: []string{"node --test --test-reporter=spec"}, Arguments: benchmark.TestFiles, Parser: "node-test"}
		if c.Language() == "typescript" {
			e.Test = []string{"node --experimental-strip-types --test --test-reporter=spec"}
		}
		for _, runner := range scriptRunners {
			if strings.Contains(manifest, `"`+runner.name+`"`) || strings.Contains(manifest, `/`+runner.name+`"`) || regexp.MustCompile(`"test[\w:]*":\s*"[^"]*\b`+runner.name+`\b`).MatchString(manifest) {
				e.Test, e.Parser = []string{runner.command}, runner.parser
				break
			}
		}
		return e
	}
	return benchmark.Environment{}
}

// bundle writes a git bundle with some commits and their history. The repository is not changed.
func (r *Repository) bundle(ctx context.Context, commits []string, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	own, err := os.MkdirTemp(filepath.Dir(file), ".bundle-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	git := func(args ...string) error {
		_, err := run(ctx, append([]string{"--git-dir", own}, args...)...)
		return err
	}
	if err := git("init", "--quiet", "--bare"); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(own, "objects", "info", "alternates"), []byte(filepath.Join(r.dir, "objects")+"\n"), 0o644); err != nil {
		return err
	}
	for _, commit := range commits {
		if err := git("update-ref", "refs/heads/base-"+commit, commit); err != nil {
			return err
		}
	}
	made := filepath.Join(own, "made.bundle")
	if err := git("bundle", "create", "--quiet", made, "--branches"); err != nil {
		return fmt.Errorf("the bundle of the repository cannot be written: %w", err)
	}
	return os.Rename(made, file)
}

// wider returns an environment that runs all tests beside those of the commit, or false if there is no such command: the
// changed files alone may have no test that passes before the change.
func wider(c *Commit, e benchmark.Environment) (benchmark.Environment, bool) {
	last := len(e.Test) - 1
	if last < 0 {
		return e, false
	}
	e.Test = slices.Clone(e.Test)
	switch {
	case e.Toolchain == "go" && strings.Contains(e.Test[last], "go test -json -count=1 "):
		e.Test[last] = "go test -json -count=1 ./..."
	case e.Arguments == benchmark.TestFiles && e.Toolchain == "python" && e.Parser == "pytest":
		dirs := map[string]bool{}
		for _, name := range c.Tests {
			if strings.HasSuffix(name, ".py") {
				dirs[path.Dir(name)] = true
			}
		}
		for _, dir := range slices.Sorted(maps.Keys(dirs)) {
			e.Test[last] += " '" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
		}
		e.Arguments = benchmark.NoArguments
	case e.Arguments == benchmark.TestFiles && e.Toolchain == "node": // without files, runners look for all
		e.Arguments = benchmark.NoArguments
	default:
		return e, false
	}
	return e, true
}
