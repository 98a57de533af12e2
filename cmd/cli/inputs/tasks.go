package inputs

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"assay/benchmark"
	"assay/benchmark/format"
	"assay/cmd/cli/console"
	"assay/data"
	"assay/tui/frame"
)

// TasksFormatHelp is the help of flags for the format of tasks.
const TasksFormatHelp = "the `format` of the tasks (default: as the file's beginning shows)"

// FormatNames lists the names of formats.
func FormatNames[F ~string](formats []F) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// TaskFile is a benchmark named on the command line.
type TaskFile struct {
	*benchmark.Benchmark
	Name    string
	Answers []benchmark.RecordedAnswer
}

// TaskLoader reads tasks, and reports on Err which other tool's format they have.
type TaskLoader struct {
	Format string    // "": detect
	Err    io.Writer // nil: report nothing
}

// Load reads a bundled benchmark by its name, or a file or folder. A bundled benchmark takes precedence
// over a file of the same name, unless the name contains a slash.
func (l *TaskLoader) Load(name string) (*benchmark.Benchmark, error) {
	f, err := l.LoadFile(name)
	return f.Benchmark, err
}

// LoadFile reads tasks like Load, with their recorded answers.
func (l *TaskLoader) LoadFile(name string) (TaskFile, error) {
	f := TaskFile{Name: name}
	if l.Format != "" && !slices.Contains(format.Formats(), format.Format(l.Format)) {
		return f, console.Usagef("%q is not a task format; the formats are %s", l.Format, FormatNames(format.Formats()))
	}
	var err error
	if l.Format == "" && slices.Contains(data.Benchmarks(), name) {
		folder, err := data.Benchmark(name)
		if err != nil {
			return f, err
		}
		if f.Benchmark, err = benchmark.LoadFolder(folder, name); err != nil {
			return f, err
		}
		f.Answers, err = benchmark.ReadAnswers(folder)
		return f, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return f, fmt.Errorf("the tasks cannot be read, and no bundled benchmark has that name (there are %s): %w", data.BenchmarkNames(), err)
	}
	var as format.Format
	if f.Benchmark, as, err = format.LoadAs(name, format.Format(l.Format)); err == nil && info.IsDir() {
		f.Answers, err = benchmark.ReadAnswers(os.DirFS(name))
	}
	if err == nil && as != format.Assay && l.Err != nil {
		fmt.Fprintf(l.Err, "%s: %s in the format %s\n", name, frame.Count(len(f.Tasks), "task"), as)
		for _, left := range f.LeftOut {
			fmt.Fprintf(l.Err, "%v: the task %s is left out\n", left.Fault, left.ID)
		}
		if packages := format.Packages(f.Benchmark); len(packages) > 0 {
			fmt.Fprintf(l.Err, "%s: its tasks import Python packages that must be installed: %s\n", name, strings.Join(packages, ", "))
		}
	}
	return f, err
}

// OneFile requires exactly one argument, SomeFiles at least one.
var (
	OneFile   = console.One(fmt.Sprintf("one FILE of tasks or the name of a bundled benchmark (%s)", data.BenchmarkNames()))
	SomeFiles = console.Some(fmt.Sprintf("FILEs of tasks or names of bundled benchmarks (%s)", data.BenchmarkNames()))
)

// Chooser holds the flags for choosing tasks.
type Chooser struct{ filter, saved string }

// Flags adds --filter and --saved-filter.
func (c *Chooser) Flags(f *pflag.FlagSet) {
	f.StringVar(&c.filter, "filter", "", FilterHelp)
	SavedFilterFlag(f, &c.saved)
}

// IsSet reports whether a flag chooses tasks.
func (c *Chooser) IsSet() bool { return c.filter != "" || c.saved != "" }

// Flag names the flag that chooses tasks, as it was given.
func (c *Chooser) Flag() string {
	if c.filter == "" {
		return "--saved-filter"
	}
	return "--filter"
}

// Filter combines both flags: if both are given, both must hold.
func (c *Chooser) Filter() (benchmark.Filter, error) {
	text, err := SavedFilters().With(c.saved, c.filter)
	if err != nil {
		return benchmark.Filter{}, err
	}
	parsed, err := benchmark.ParseFilter(text)
	if err != nil {
		return parsed, console.Usagef("%s: %v", c.Flag(), err)
	}
	return parsed, nil
}

// NoMatch returns the usage error that the flags choose none of the tasks of a benchmark or file, practice tasks apart.
func (c *Chooser) NoMatch(of string, tasks []*benchmark.Task) error {
	tasks = slices.DeleteFunc(tasks, func(t *benchmark.Task) bool { return t.Practice })
	filter, err := c.Filter()
	if err != nil {
		return err
	}
	return console.Usagef("%s: %v", c.Flag(), filter.NoMatch("no task of "+of, tasks))
}

// FilterHelp is the help of --filter.
const FilterHelp = "`terms`" + ` that choose tasks, as in 'difficulty:hard type:visualization,exploratory published:>=2023 -source:"R for Everyone"'`
