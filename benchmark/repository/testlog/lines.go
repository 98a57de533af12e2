package testlog

import (
	"regexp"
	"strings"
)

// pattern returns a function that reads a line by a pattern whose groups are a word for the status and the
// id, in the order that the last argument gives.
func pattern(expr string, statusGroup, idGroup int, statuses map[string]Status) func(string) (string, Status) {
	re := regexp.MustCompile(expr)
	return func(line string) (string, Status) {
		m := re.FindStringSubmatch(line)
		if m == nil {
			return "", ""
		}
		return strings.TrimSpace(m[idGroup]), statuses[m[statusGroup]]
	}
}

// The formats of which a line says all. Ids and statuses are SWE-bench's.
var (
	antLine         = pattern(`^\[junit\]\s+\[(PASS|FAIL|ERR)\]\s+(.*)$`, 1, 2, map[string]Status{"PASS": Passed, "FAIL": Failed, "ERR": Failed})
	cucumberLine    = pattern(`^(.*) \.+(\.|F)`, 2, 1, map[string]Status{".": Passed, "F": Failed})
	googleLine      = pattern(`^.*\[\s*(OK|FAILED)\s*\]\s(.*)\s\(.*\)$`, 1, 2, map[string]Status{"OK": Passed, "FAILED": Failed})
	jestLine        = pattern(`^(✓|✕|○)\s(.+?)(?:\s\((\d+\s*m?s)\))?$`, 1, 2, map[string]Status{"✓": Passed, "✕": Failed, "○": Skipped})
	bracketLine     = pattern(`^\[(PASSED|FAILED)\]\s(.+)$`, 1, 2, map[string]Status{"PASSED": Passed, "FAILED": Failed})
	jqLine          = pattern(`^(PASS|FAIL):\s(.+)$`, 1, 2, map[string]Status{"PASS": Passed, "FAIL": Failed})
	micropythonLine = pattern(`^(pass|FAIL|skip)\s+(.+)$`, 1, 2, map[string]Status{"pass": Passed, "FAIL": Failed, "skip": Skipped})
	minitestLine    = pattern(`^(.+)\. .*=.*(\.|F|E).*$`, 2, 1, map[string]Status{".": Passed, "F": Failed, "E": Failed})
	rspecLine       = pattern(`^(.+) - (passed|failed)`, 2, 1, map[string]Status{"passed": Passed, "failed": Failed})
	tapLine         = pattern(`^(ok|not ok) (?:\d+) (.+)$`, 1, 2, map[string]Status{"ok": Passed, "not ok": Failed})
	testUnitLine    = pattern(`^(?:test: )?(.+):\s+(\.|E\b|F\b|O\b)`, 2, 1, map[string]Status{".": Passed, "E": Failed, "F": Failed, "O": Skipped})
	vitestLine      = pattern(`^(✓|×|↓)\s(.+?)(?:\s(\d+\s*m?s?|\[skipped\]))?$`, 1, 2, map[string]Status{"✓": Passed, "×": Failed, "↓": Skipped})
)

var (
	redisResult = regexp.MustCompile(`^\[(ok|err|skip|ignore)\]:\s(.+?)(?:\s\((\d+\s*m?s)\))?$`)
	redisPlace  = regexp.MustCompile(`\s+in\s+\S+$`)
)

func redisLine(line string) (string, Status) {
	m := redisResult.FindStringSubmatch(line)
	switch {
	case m == nil:
		return "", ""
	case m[1] == "ok":
		return m[2], Passed
	case m[1] == "err":
		return redisPlace.ReplaceAllString(m[2], ""), Failed
	}
	return m[2], Skipped
}

var (
	phpSuite = regexp.MustCompile(`^(\w.+) \(.+\)$`)
	phpTest  = regexp.MustCompile(`^\s*([✔✘↩])\s*(.*)$`)
)

func parsePHPUnit(log string, r *Results) {
	suite := "None" // as the harness names tests without a suite
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(line, "\n")
		if m := phpSuite.FindStringSubmatch(line); m != nil {
			suite = m[1]
		} else if m := phpTest.FindStringSubmatch(line); m != nil {
			r.set(suite+" > "+m[2], map[string]Status{"✔": Passed, "✘": Failed, "↩": Skipped}[m[1]])
		}
	}
}

var (
	mavenTest   = regexp.MustCompile(`^.*-Dtest=(\S+).*$`)
	mavenResult = regexp.MustCompile(`^.*BUILD (SUCCESS|FAILURE)$`)
)

// parseMaven matches the tests of commands with the results of builds in their order. Maven does not print
// tests that passed.
func parseMaven(log string, r *Results) {
	var tests, results []string
	settle := func() {
		for len(tests) > 0 && len(results) > 0 {
			r.set(tests[0], map[string]Status{"SUCCESS": Passed, "FAILURE": Failed}[results[0]])
			tests, results = tests[1:], results[1:]
		}
	}
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if m := mavenTest.FindStringSubmatch(line); m != nil {
			tests = append(tests, m[1])
		}
		if m := mavenResult.FindStringSubmatch(line); m != nil {
			settled := len(tests) > 0
			results = append(results, m[1])
			if settled && len(results) == 1 {
				settle()
			}
		}
	}
	settle()
}

var (
	gradleWhole  = regexp.MustCompile(`^([^>].+)\s+(PASSED|FAILED)$`)
	gradleName   = regexp.MustCompile(`^([^>]\S*\s+>\s+\S+)$`)
	gradleStatus = regexp.MustCompile(`^(PASSED|FAILED)$`)
)

// parseGradle also accepts a status on a later line than the name.
func parseGradle(log string, r *Results) {
	pending := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if m := gradleWhole.FindStringSubmatch(line); m != nil {
			r.set(m[1], Status(m[2]))
			pending = ""
		} else if m := gradleName.FindStringSubmatch(line); m != nil {
			pending = m[1]
		} else if pending != "" && gradleStatus.MatchString(line) {
			r.set(pending, Status(line))
			pending = ""
		}
	}
}

var karmaLine = regexp.MustCompile(`^(\s*)?([✔✖])?\s(.*)$`)

// parseKarma names tests by their suites. A level less of indentation closes one suite and its heading is
// not recorded, as in the harness.
func parseKarma(log string, r *Results) {
	indent, started := -1, false
	var suites []string
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "SUMMARY:"):
			return
		case strings.Contains(line, "Starting browser"):
			started = true
			continue
		case !started:
			continue
		}
		m := karmaLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		switch width := len([]rune(m[1])); {
		case m[2] != "":
			id := strings.Join(append(append([]string{}, suites...), m[3]), " > ")
			r.set(id, map[string]Status{"✔": Passed, "✖": Failed}[m[2]])
		case width == 0:
		case width > indent:
			indent, suites = width, append(suites, m[3])
		case width < indent:
			indent = width
			if len(suites) > 0 {
				suites = suites[:len(suites)-1]
			}
		}
	}
}

var (
	cargoLine    = regexp.MustCompile(`^test\s+(\S+)(?: - should panic)?\s+\.\.\.\s+(\w+)$`)
	cargoSection = regexp.MustCompile(`^---- (\S+) stdout ----$`)
)

func parseCargo(log string, r *Results) {
	id, text := "", strings.Builder{}
	flush := func() {
		r.output(id, text.String())
		text.Reset()
		id = ""
	}
	for line := range strings.Lines(log) {
		plain := strings.TrimSpace(line)
		if m := cargoLine.FindStringSubmatch(plain); m != nil {
			if s := map[string]Status{"ok": Passed, "FAILED": Failed}[m[2]]; s != "" {
				r.set(m[1], s)
			}
			continue
		}
		if m := cargoSection.FindStringSubmatch(plain); m != nil {
			flush()
			id = m[1]
			continue
		}
		if plain == "failures:" || strings.HasPrefix(plain, "test result:") {
			flush()
		}
		if id != "" && text.Len() < 4*MaxOutput {
			text.WriteString(line)
		}
	}
	flush()
}

var specTest = regexp.MustCompile(`^(\s*)(?:([✔✓✖﹣-])|(\d+)\)) (.+?)(?: \(\d+(?:\.\d+)?m?s\))?(?: # .*)?$`)

// parseSpec reads the spec reporters of node:test and mocha: suites are headings (▶ in node), tests are
// indented below them. Ids are suites and test joined by " > ".
func parseSpec(log string, r *Results) {
	type level struct {
		indent int
		name   string
	}
	var suites []level
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		if end := strings.TrimSpace(line); strings.HasSuffix(end, " passing") || strings.HasPrefix(end, "ℹ tests ") || strings.HasPrefix(end, "✖ failing tests") {
			return // the summary repeats the failures
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for len(suites) > 0 && suites[len(suites)-1].indent >= indent && strings.TrimSpace(line) != "" {
			suites = suites[:len(suites)-1]
		}
		m := specTest.FindStringSubmatch(line)
		if m == nil {
			if name := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "▶")); name != "" {
				suites = append(suites, level{indent, name})
			}
			continue
		}
		var names []string
		for _, s := range suites {
			names = append(names, s.name)
		}
		status := Passed
		switch {
		case m[3] != "" || m[2] == "✖":
			status = Failed
		case m[2] == "﹣" || m[2] == "-":
			status = Skipped
		}
		r.set(strings.Join(append(names, m[4]), " > "), status)
	}
}

// parseTAP reads TAP. A description begins with "- ", which SWE-bench's harness takes for a part of the id; a
// test has both ids.
func parseTAP(log string, r *Results) {
	for line := range strings.Lines(log) {
		if id, status := tapLine(strings.TrimSpace(line)); status != "" {
			r.set(id, status)
			if plain, ok := strings.CutPrefix(id, "- "); ok {
				r.set(plain, status)
			}
		}
	}
}
