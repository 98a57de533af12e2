package testlog

import (
	"regexp"
	"strings"
)

// pytestStatuses begin the lines of pytest's summary, in the order in which they are tried.
var pytestStatuses = [...]Status{Failed, Passed, Skipped, Error, XFail}

// summaryStatus returns the status with which a line begins, or "".
func summaryStatus(line string) Status {
	for _, s := range pytestStatuses {
		if strings.HasPrefix(line, string(s)) {
			return s
		}
	}
	return ""
}

// skipCount matches the number of tests in "SKIPPED [2] file:line: reason", which names no test.
var skipCount = regexp.MustCompile(`^\[\d+\]$`)

// summaryWords returns the status and the id in a line of the summary; ids end at the first space. The
// status is the line's first word, even where that only begins with a status.
func summaryWords(line string) (Status, string) {
	begins := summaryStatus(line)
	if begins == "" {
		return "", ""
	}
	if begins == Failed {
		line = strings.ReplaceAll(line, " - ", " ")
	}
	words := strings.Fields(line)
	if len(words) < 2 || words[0] == string(Skipped) && skipCount.MatchString(words[1]) {
		return "", ""
	}
	return Status(words[0]), words[1]
}

func parsePytest(log string, r *Results) {
	for line := range strings.Lines(log) {
		if s, id := summaryWords(line); s != "" {
			r.set(id, s)
		}
	}
	pytestOutput(log, r)
}

func parseMatplotlib(log string, r *Results) {
	parsePytest(strings.NewReplacer("MouseButton.LEFT", "1", "MouseButton.RIGHT", "3").Replace(log), r)
}

// option matches an id with parameters.
var option = regexp.MustCompile(`(.*?)\[(.*)\]`)

// parsePytestOptions shortens absolute paths in parameters to their last part: they differ between machines.
func parsePytestOptions(log string, r *Results) {
	for line := range strings.Lines(log) {
		s, id := summaryWords(line)
		if s == "" {
			continue
		}
		if m := option.FindStringSubmatch(id); m != nil {
			parameter := m[2]
			if strings.HasPrefix(parameter, "/") && !strings.HasPrefix(parameter, "//") && !strings.Contains(parameter, "*") {
				parameter = parameter[strings.LastIndex(parameter, "/"):]
			}
			id = m[1] + "[" + parameter + "]"
		}
		r.set(id, s)
	}
	pytestOutput(log, r)
}

var colour = regexp.MustCompile(`\[(\d+)m`)

func parsePytestV2(log string, r *Results) {
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(line, "\n")
		line = strings.Map(func(c rune) rune {
			if c > 0 && c < ' ' {
				return -1
			}
			return c
		}, colour.ReplaceAllString(line, ""))
		words := strings.Fields(line)
		if begins := summaryStatus(line); begins != "" {
			if begins == Failed {
				line, _, _ = strings.Cut(line, " - ")
				words = strings.Fields(line)
			}
			if len(words) >= 2 && !(words[0] == string(Skipped) && skipCount.MatchString(words[1])) {
				r.set(strings.Join(words[1:], " "), Status(words[0]))
			}
			continue
		}
		for _, s := range pytestStatuses { // before pytest 4.2: "file::test PASSED"
			if strings.HasSuffix(line, string(s)) && len(words) >= 2 {
				r.set(strings.Join(words[:len(words)-1], " "), Status(words[len(words)-1]))
				break
			}
		}
	}
	pytestOutput(log, r)
}

func parseSeaborn(log string, r *Results) {
	for line := range strings.Lines(log) {
		words := strings.Fields(line)
		switch {
		case len(words) < 2:
		case strings.HasPrefix(line, string(Failed)):
			r.set(words[1], Failed)
		case strings.Contains(line, " PASSED "):
			if words[1] == string(Passed) {
				r.set(words[0], Passed)
			}
		case strings.HasPrefix(line, string(Passed)):
			r.set(words[1], Passed)
		}
	}
	pytestOutput(log, r)
}

// pytestSection matches the heading of a failed test's traceback, such as "____ Class.test[1] ____".
var pytestSection = regexp.MustCompile(`^_{3,} (?:ERROR at (?:setup|teardown) of )?(.+?) _{3,}$`)

// pytestOutput assigns the tracebacks between FAILURES and the summary to the failing tests whose ids end
// with the heading.
func pytestOutput(log string, r *Results) {
	ids := map[string]string{}
	for id, s := range r.Status {
		if s == Failed || s == Error {
			_, name, found := strings.Cut(id, "::")
			if !found {
				name = id
			}
			ids[strings.ReplaceAll(name, "::", ".")] = id
		}
	}
	if len(ids) == 0 {
		return
	}
	id, text := "", strings.Builder{}
	flush := func() {
		r.output(id, text.String())
		text.Reset()
	}
	for line := range strings.Lines(log) {
		plain := strings.TrimSpace(line)
		if m := pytestSection.FindStringSubmatch(plain); m != nil && ids[m[1]] != "" {
			flush()
			id = ids[m[1]]
			continue
		}
		if strings.HasPrefix(plain, "=====") && strings.HasSuffix(plain, "=====") {
			flush()
			id = ""
		}
		if id != "" && text.Len() < 4*MaxOutput {
			text.WriteString(line)
		}
	}
	flush()
}

// The places in which Django's own messages interrupt the line of a test, of which the result follows on a
// line of its own.
var djangoInterrupted = [...]*regexp.Regexp{
	regexp.MustCompile(`(?m)^(.*?)\s\.\.\.\sTesting against Django installed in (?s:.*?) silenced\)\.\nok$`),
	regexp.MustCompile(`(?m)^(.*?)\s\.\.\.\sInternal Server Error: /(.*)/\nok$`),
	regexp.MustCompile(`(?m)^(.*?)\s\.\.\.\sSystem check identified no issues \(0 silenced\)\nok$`),
}

// parseDjango reads Django's runner. Ids are what stands before " ... ": the name with its class, or the
// first line of the docstring. A failed test appears a second time, by the first word after "FAIL:".
func parseDjango(log string, r *Results) {
	const version = "--version is equivalent to version"
	last := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, version) {
			r.set(version, Passed)
		}
		if before, _, found := strings.Cut(line, " ... "); found {
			last = before
		}
		for _, suffix := range []string{" ... ok", " ... OK", " ...  OK"} {
			if !strings.HasSuffix(line, suffix) {
				continue
			}
			if strings.HasPrefix(line, "Applying sites.0002_alter_domain_unique...test_no_migrations") {
				_, line, _ = strings.Cut(line, "...") // the harness' exception for django-7188
				line = strings.TrimSpace(line)
			}
			r.set(strings.TrimSuffix(line, suffix), Passed)
			break
		}
		if before, _, found := strings.Cut(line, " ... skipped"); found {
			r.set(before, Skipped)
		}
		for _, end := range []struct {
			word   string
			status Status
		}{{"FAIL", Failed}, {"ERROR", Error}} {
			if strings.HasSuffix(line, " ... "+end.word) {
				before, _, _ := strings.Cut(line, " ... "+end.word)
				r.set(before, end.status)
			}
			if strings.HasPrefix(line, end.word+":") {
				if words := strings.Fields(line); len(words) > 1 {
					r.set(words[1], end.status)
				}
			}
		}
		if strings.HasPrefix(line, "ok") && last != "" {
			r.set(last, Passed)
		}
	}
	for _, pattern := range djangoInterrupted {
		for _, m := range pattern.FindAllStringSubmatch(log, -1) {
			r.set(m[1], Passed)
		}
	}
	unittestOutput(log, r, func(first string) string { return first })
}

// unittestSection matches the heading of a traceback.
var unittestSection = regexp.MustCompile(`^(?:FAIL|ERROR): (.+)$`)

// unittestEnd matches the first line of the summary.
var unittestEnd = regexp.MustCompile(`^Ran \d+ tests? in `)

// unittestOutput assigns the tracebacks below lines of "=" to their tests. The function turns the heading
// into the id.
func unittestOutput(log string, r *Results, idOf func(heading string) string) {
	id, text := "", strings.Builder{}
	flush := func() {
		r.output(id, strings.TrimRight(text.String(), "-\n")) // the line below the last traceback
		text.Reset()
		id = ""
	}
	for line := range strings.Lines(log) {
		plain := strings.TrimSpace(line)
		if strings.HasPrefix(plain, "==========") || unittestEnd.MatchString(plain) {
			flush()
			continue
		}
		if m := unittestSection.FindStringSubmatch(plain); m != nil && id == "" {
			id = idOf(m[1])
			if _, known := r.Status[id]; !known {
				id = ""
			}
			continue
		}
		if id != "" && text.Len() < 4*MaxOutput {
			text.WriteString(line)
		}
	}
	flush()
}

// unittestTest matches "test (module.Class)" and, since Python 3.11, "test (module.Class.test)".
var unittestTest = regexp.MustCompile(`^(\w+) \(([\w.]+)\)`)

// unittestID returns module.Class.test.
func unittestID(text string) string {
	m := unittestTest.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	if strings.HasSuffix(m[2], "."+m[1]) {
		return m[2]
	}
	return m[2] + "." + m[1]
}

// unittestEnds are the results on the line of a test.
var unittestEnds = map[string]Status{"ok": Passed, "FAIL": Failed, "ERROR": Error, "expected failure": XFail, "unexpected success": XPass}

// parseUnittest reads unittest -v. A test with a docstring has its name on the line before the result.
func parseUnittest(log string, r *Results) {
	id := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if found := unittestID(line); found != "" {
			id = found
		}
		if id == "" {
			continue
		}
		end := line
		if at := strings.LastIndex(line, " ... "); at >= 0 {
			end = line[at+len(" ... "):]
		}
		s, known := unittestEnds[end]
		if strings.HasPrefix(end, "skipped") {
			s, known = Skipped, true
		}
		if known {
			r.set(id, s)
			id = ""
		}
	}
	unittestOutput(log, r, unittestID)
}

// sympyFailure matches the heading of a failed test: "____ path.py:test_name ____".
var sympyFailure = regexp.MustCompile(`(_*) (.*)\.py:(.*) (_*)`)

func parseSympy(log string, r *Results) {
	for _, m := range sympyFailure.FindAllStringSubmatch(log, -1) {
		r.set(m[2]+".py:"+m[3], Failed)
	}
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "test_") {
			continue
		}
		id, _, _ := strings.Cut(line, " ")
		id = strings.Fields(id)[0]
		switch {
		case strings.HasSuffix(line, " E"):
			r.set(id, Error)
		case strings.HasSuffix(line, " F"):
			r.set(id, Failed)
		case strings.HasSuffix(line, " ok"):
			r.set(id, Passed)
		}
	}
	sympyOutput(log, r)
}

// sympyOutput assigns tracebacks to the failing tests, whose lines have only the name.
func sympyOutput(log string, r *Results) {
	ids, text := []string(nil), strings.Builder{}
	flush := func() {
		for _, id := range ids {
			if s := r.Status[id]; s == Failed || s == Error {
				r.output(id, text.String())
			}
		}
		ids = nil
		text.Reset()
	}
	for line := range strings.Lines(log) {
		plain := strings.TrimSpace(line)
		if m := sympyFailure.FindStringSubmatch(plain); m != nil && strings.HasPrefix(plain, "__") {
			flush()
			ids = []string{m[2] + ".py:" + m[3], m[3]}
			continue
		}
		if strings.HasPrefix(plain, "=====") {
			flush()
		}
		if ids != nil && text.Len() < 4*MaxOutput {
			text.WriteString(line)
		}
	}
	flush()
}
