package testlog

import (
	"encoding/json"
	"regexp"
	"strings"
)

var goResult = regexp.MustCompile(`^--- (PASS|FAIL|SKIP): (.+) \((.+)\)$`)

var goStatuses = map[string]Status{"PASS": Passed, "FAIL": Failed, "SKIP": Skipped, "pass": Passed, "fail": Failed, "skip": Skipped}

// parseGoTest reads go test -v. Ids are names without package: tests of the same name in two packages
// cannot be told apart, as in the harness.
func parseGoTest(log string, r *Results) {
	running, output := "", map[string]*strings.Builder{}
	for line := range strings.Lines(log) {
		plain := strings.TrimSpace(line)
		if m := goResult.FindStringSubmatch(plain); m != nil {
			r.set(m[2], goStatuses[m[1]])
			running = m[2] // before Go 1.14 the output follows the result
			continue
		}
		if _, name, found := strings.Cut(plain, "=== "); found && strings.HasPrefix(plain, "=== ") {
			if words := strings.Fields(name); len(words) == 2 {
				running = words[1]
			}
			continue
		}
		if running == "" {
			continue
		}
		if output[running] == nil {
			output[running] = &strings.Builder{}
		}
		if b := output[running]; b.Len() < 4*MaxOutput {
			b.WriteString(line)
		}
	}
	for id, text := range output {
		if r.Status[id] == Failed {
			r.output(id, text.String())
		}
	}
}

// parseGoTestJSON reads go test -json. Ids are names; a name that occurs in several packages is preceded by
// package and a dot.
func parseGoTestJSON(log string, r *Results) {
	type key struct{ pkg, test string }
	type event struct {
		Action, Package, Test, Output string
	}
	status, output, packages := map[key]Status{}, map[key]*strings.Builder{}, map[string]map[string]bool{}
	for line := range strings.Lines(log) {
		var e event
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil || e.Test == "" {
			continue
		}
		k := key{e.Package, e.Test}
		if packages[e.Test] == nil {
			if len(packages) >= maxTests {
				continue
			}
			packages[e.Test] = map[string]bool{}
		}
		packages[e.Test][e.Package] = true
		if s := goStatuses[e.Action]; s != "" {
			status[k] = s
		}
		if e.Action == "output" && !strings.HasPrefix(e.Output, "=== ") {
			if output[k] == nil {
				output[k] = &strings.Builder{}
			}
			if output[k].Len() < 4*MaxOutput {
				output[k].WriteString(e.Output)
			}
		}
	}
	for k, s := range status {
		id := k.test
		if len(packages[k.test]) > 1 {
			id = k.pkg + "." + k.test
		}
		r.set(id, s)
		if b := output[k]; b != nil && s == Failed {
			r.output(id, b.String())
		}
	}
}
