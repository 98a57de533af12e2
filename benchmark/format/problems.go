package format

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
)

// The formats of problem packages of programming contests: a directory for each problem, in one folder, or one of them.
const (
	Kattis  Format = "kattis"  // https://www.kattis.com/problem-package-format, legacy and 2023-07 or later
	Polygon Format = "polygon" // Codeforces' Polygon, full package
)

// The file by which a problem package is recognized.
const (
	kattisFile  = "problem.yaml"
	polygonFile = "problem.xml"
)

// Limits of a package.
const (
	mostProblemTests = 2000
	mostProblemBytes = 256 << 20 // of all tests
	problemSeconds   = 10        // for a test where the package does not say how many
)

// outputRule is how a package compares output: word by word unless it says otherwise.
type outputRule struct {
	cased              bool    // letters of other case differ
	spaced             bool    // other white space differs
	lined              bool    // line by line
	absolute, relative float64 // a number may differ by one of these; 0: not
}

// outputChecker compares as the default output validator of Kattis' specification, and testlib's checkers of words and lines.
const outputChecker = `import re
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_CASED, _SPACED, _LINED, _ABSOLUTE, _RELATIVE = %s, %s, %s, %v, %v

def _words(text):
    if _SPACED:
        return re.findall(r"\s|\S+", text)
    if not _LINED:
        return text.split()
    return [w for line in text.rstrip().split("\n") for w in [*line.split(), "the end of a line"]]

def _same(got, wanted):
    if got == wanted or not _CASED and got.lower() == wanted.lower():
        return True
    if not (_ABSOLUTE or _RELATIVE) or not (_NUMBER.fullmatch(got) and _NUMBER.fullmatch(wanted)):
        return False
    apart = abs(float(got) - float(wanted))
    return apart <= _ABSOLUTE or apart <= _RELATIVE * abs(float(wanted))

def accept(output, expected, input):
    got, wanted = _words(output), _words(expected)
    for i, pair in enumerate(zip(got, wanted)):
        if not _same(*pair):
            return "word %%d is %%s, not %%s" %% (i + 1, pair[0][:40], pair[1][:40])
    if len(got) != len(wanted):
        return "the output has %%d words, not %%d" %% (len(got), len(wanted))
    return True
`

func (r outputRule) checker() string {
	truth := map[bool]string{true: "True", false: "False"}
	return fmt.Sprintf(outputChecker, truth[r.cased], truth[r.spaced], truth[r.lined], r.absolute, r.relative)
}

// problem reads a problem package: a program that reads its input.
func (d *directory) problem(as Format) (*benchmark.Task, error) {
	d.task = &benchmark.Task{ID: d.id, Title: d.id, Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin}}
	readAs := d.kattis
	if as == Polygon {
		readAs = d.polygon
	}
	rule, err := readAs()
	if err != nil {
		return nil, err
	}
	d.task.Tests.Checker = rule.checker()
	limits := &d.task.Limits
	limits.CPUSeconds = cmp.Or(limits.CPUSeconds, problemSeconds)
	limits.CPUTotal = min(max(60, limits.CPUSeconds*float64(len(d.task.Tests.Runs))), 3600)
	if err := d.task.Check(); err != nil {
		return nil, d.fault(d.config, 0, "%v", err)
	}
	return d.task, nil
}

// test adds a test whose input and expected output are files.
func (d *directory) test(name, input, answer string, sample bool) error {
	runs := &d.task.Tests.Runs
	if len(*runs) == mostProblemTests {
		return d.fault(path.Dir(input), 0, "there are more than %d tests", mostProblemTests)
	}
	run := benchmark.Run{Name: name, Compare: benchmark.OutputByChecker}
	var err error
	if run.Input, err = d.text(input); err == nil {
		run.Output, err = d.text(answer)
	}
	if err != nil {
		return err
	}
	if d.bytes += len(run.Input) + len(run.Output); d.bytes > mostProblemBytes {
		return d.fault(input, 0, "the tests have more than %d MB", mostProblemBytes>>20)
	}
	*runs = append(*runs, run)
	if sample {
		d.task.Examples = append(d.task.Examples, benchmark.Example{Input: strings.TrimRight(run.Input, "\n"), Output: strings.TrimRight(run.Output, "\n")})
	}
	return nil
}

// kattis reads a package in Kattis' format.
func (d *directory) kattis() (rule outputRule, err error) {
	d.config = kattisFile
	text, err := d.text(kattisFile)
	if err != nil {
		return rule, err
	}
	if d.values, d.line, err = readYAML(text); err != nil {
		return rule, d.fault(d.config, 0, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := d.kattisKinds(); err != nil {
		return rule, err
	}
	if err := d.kattisFacts(); err != nil {
		return rule, err
	}
	if d.task.Description, err = d.kattisStatement(); err != nil {
		return rule, err
	}
	flags, err := d.kattisTests()
	if err != nil {
		return rule, err
	}
	if rule, err = outputFlags(flags); err != nil {
		return rule, d.fault(d.config, 0, "%v", err)
	}
	accepted, _ := fs.Glob(d.files, "submissions/accepted/*.py")
	if len(accepted) > 0 {
		d.task.Reference, err = d.text(accepted[0])
	}
	return rule, err
}

// kattisKinds returns the fault of a problem that is not solved by printing the one right output.
func (d *directory) kattisKinds() error {
	var kinds []string
	for _, key := range []string{"type", "validation"} {
		switch v := d.value(key).(type) {
		case nil:
		case string:
			kinds = strings.Fields(v)
		case []any:
			for _, kind := range v {
				kinds = append(kinds, fmt.Sprint(kind))
			}
		default:
			return d.wrong(key, "the value must be text, or a list of texts")
		}
		for _, kind := range kinds {
			if !slices.Contains([]string{"pass-fail", "scoring", "default"}, kind) {
				return d.wrong(key, "%q needs a program of the package's own that judges, which assay does not run; output is compared with the expected one: leave the package out", kind)
			}
		}
	}
	for _, dir := range []string{"output_validators", "output_validator"} {
		if entries, err := fs.ReadDir(d.files, dir); err == nil && len(entries) > 0 && d.value("validation") != "default" {
			return d.fault(dir, 0, "the package has a validator of its own (%s), which assay does not run; output is compared with the expected one: leave the package out", entries[0].Name())
		}
	}
	return nil
}

// kattisFacts reads what problem.yaml says of the problem.
func (d *directory) kattisFacts() (err error) {
	t := d.task
	switch name := d.value("name").(type) {
	case nil:
	case string:
		t.Title = clip(name)
	case map[string]any:
		for _, lang := range []string{"en", "sv"} {
			if text, is := name[lang].(string); is {
				t.Title = clip(text)
				break
			}
		}
	default:
		return d.wrong("name", "the value must be text, or texts by language")
	}
	switch words := d.value("keywords").(type) {
	case string:
		t.Topics = strings.Fields(words)
	case []any:
		if t.Topics, err = d.texts("keywords"); err != nil {
			return err
		}
	}
	if source, is := d.value("source").(string); is {
		t.Source.Title = source
	} else if source, is := d.value("source.name").(string); is {
		t.Source.Title = source
	}
	if url, is := d.value("source_url").(string); is {
		t.Source.URL = url
	}
	if licence, is := d.value("license").(string); is {
		t.Source.Licence = licence
	}
	if t.Limits.CPUSeconds, err = d.number("limits.time_limit", mostSeconds); err != nil {
		return err
	}
	memory, err := d.number("limits.memory", 1<<20)
	t.Limits.MemoryMB = int(memory)
	return err
}

// kattisStatement returns the statement, in English if there is one.
func (d *directory) kattisStatement() (string, error) {
	var found []string
	for _, dir := range []string{"problem_statement", "statement"} {
		for _, end := range []string{"problem.en.md", "problem.en.tex", "problem.md", "problem.tex", "problem.*.md", "problem.*.tex"} {
			names, _ := fs.Glob(d.files, dir+"/"+end)
			found = append(found, names...)
		}
	}
	if len(found) == 0 {
		return "", d.fault("problem_statement", 0, "there is no statement, such as problem_statement/problem.en.tex or statement/problem.en.md")
	}
	return d.text(found[0])
}

// kattisTests reads the tests, samples first, and returns the flags by which the output of all of them is compared.
func (d *directory) kattisTests() (flags string, err error) {
	legacy, err := d.str("validator_flags")
	if err != nil {
		return "", err
	}
	known, secret := map[string]string{}, 0
	for _, part := range []string{"data/sample", "data/secret"} {
		err := fs.WalkDir(d.files, part, func(name string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist) && name == part:
				return nil
			case err != nil:
				return d.fault(name, 0, "%v", err)
			case strings.HasSuffix(name, ".files") || strings.HasSuffix(name, ".args"):
				return d.fault(name, 0, "the test needs files or arguments, and programs are judged by their standard input and output: leave the package out")
			case e.IsDir() || !strings.HasSuffix(name, ".in"):
				return nil
			}
			base := strings.TrimSuffix(name, ".in")
			of, err := d.kattisFlags(base, legacy)
			if err != nil {
				return err
			}
			known[of] = name
			if part == "data/secret" {
				secret++
			}
			return d.test(strings.TrimPrefix(base, "data/"), name, base+".ans", part == "data/sample")
		})
		if err != nil {
			return "", err
		}
	}
	if secret == 0 {
		return "", d.fault("data/secret", 0, "there are no tests: each is NAME.in with its NAME.ans")
	}
	if len(known) > 1 {
		return "", d.fault("data", 0, "tests of one package are compared by different flags of the validator, which is not supported: leave the package out")
	}
	for flags = range known {
	}
	return flags, nil
}

// kattisFlags returns the flags for a test: its own, or else those of the nearest group above it.
func (d *directory) kattisFlags(base, legacy string) (string, error) {
	files := []string{base + ".yaml"}
	for at := path.Dir(base); at != "."; at = path.Dir(at) {
		files = append(files, at+"/test_group.yaml", at+"/testdata.yaml")
	}
	for _, file := range files {
		if _, err := fs.Stat(d.files, file); err != nil {
			continue
		}
		text, err := d.text(file)
		if err != nil {
			return "", err
		}
		values, line, err := readYAML(text)
		if err != nil {
			return "", d.fault(file, 0, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
		}
		for _, key := range []string{"output_validator_args", "output_validator_flags"} {
			switch v := values[key].(type) {
			case nil:
			case string:
				return v, nil
			case []any:
				return strings.Trim(fmt.Sprint(v), "[]"), nil
			default:
				return "", d.fault(file, line(key), "%s: the value must be text, or a list of texts", key)
			}
		}
	}
	return legacy, nil
}

// outputFlags reads the flags of the default output validator.
func outputFlags(flags string) (rule outputRule, err error) {
	words := strings.Fields(flags)
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "case_sensitive":
			rule.cased = true
		case "space_change_sensitive":
			rule.spaced = true
		case "float_tolerance", "float_absolute_tolerance", "float_relative_tolerance":
			if i+1 == len(words) {
				return rule, fmt.Errorf("the validator's flag %s has no number after it", words[i])
			}
			most, err := strconv.ParseFloat(words[i+1], 64)
			if err != nil || !(most > 0 && most < 1) {
				return rule, fmt.Errorf("the validator's flag %s is followed by %q; write a number between 0 and 1, such as 1e-6", words[i], words[i+1])
			}
			if words[i] != "float_relative_tolerance" {
				rule.absolute = most
			}
			if words[i] != "float_absolute_tolerance" {
				rule.relative = most
			}
			i++
		default:
			return rule, fmt.Errorf("the validator's flag %q is not one of case_sensitive, space_change_sensitive, float_tolerance, float_absolute_tolerance, float_relative_tolerance", words[i])
		}
	}
	return rule, nil
}
