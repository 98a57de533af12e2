package analyser

import (
	_ "embed"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/data/disk"
	"assay/data/tomlfile"
	"assay/scoring/quality"
)

//go:embed severities.toml
var builtin []byte

// Severities maps analysers' findings to severities and dimensions.
type Severities struct {
	entries map[string][]entry
}

// entry is an entry of the table; the first that matches a finding counts.
type entry struct {
	Rules      []string `toml:"rules"`      // names, patterns such as "F*", ranges such as "E1300-E1310"; none: all
	Severity   string   `toml:"severity"`   // the analyser's severity; "": any
	Confidence []string `toml:"confidence"` // the analyser's confidence; none: any
	Gives      string   `toml:"gives"`      // MINOR, MAJOR, CRITICAL, BLOCKER or ignore
	Dimension  string   `toml:"dimension"`  // reliability, security or smell
	Why        string   `toml:"why"`
}

// Builtin returns the built-in table.
func Builtin() *Severities {
	s, err := parseSeverities("severities.toml", builtin)
	if err != nil {
		panic(err) // the table is part of the program, and tested
	}
	return s
}

// BuiltinText returns the source of the built-in table, to show and change.
func BuiltinText() string { return string(builtin) }

// LoadSeverities reads a user's table, whose analysers replace those of the built-in table. Errors name the
// file and the line.
func LoadSeverities(file string) (*Severities, error) {
	text, err := disk.ReadFile(file, disk.Settings)
	if err != nil {
		return nil, fmt.Errorf("reading the table of severities: %w", err)
	}
	s, err := parseSeverities(file, text)
	if err != nil {
		return nil, err
	}
	for name, entries := range Builtin().entries {
		if _, given := s.entries[name]; !given {
			s.entries[name] = entries
		}
	}
	return s, nil
}

// analysers are the valid analyser names of a table.
var analysers = []string{"bandit", "pylint", "ruff", "semgrep", "gosec", "eslint", "lintr", "sarif"}

func parseSeverities(file string, text []byte) (*Severities, error) {
	s := &Severities{entries: map[string][]entry{}}
	decoded, err := tomlfile.Decode(file, string(text), &s.entries, "keys are rules, severity, confidence, gives, dimension and why")
	if err != nil {
		return nil, err
	}
	for name, entries := range s.entries {
		if !slices.Contains(analysers, name) {
			return nil, decoded.Wrong(name, "there is no such analyser: analysers are %s", strings.Join(analysers, ", "))
		}
		for i, e := range entries {
			if err := e.check(); err != nil {
				return nil, decoded.Wrong(fmt.Sprintf("%s.%d", name, i), "%v", err)
			}
		}
	}
	return s, nil
}

func (e entry) check() error {
	if e.Gives == "ignore" {
		return nil
	}
	if !slices.Contains([]string{"MINOR", "MAJOR", "CRITICAL", "BLOCKER"}, e.Gives) {
		return fmt.Errorf("gives is %q: it is MINOR, MAJOR, CRITICAL, BLOCKER or ignore", e.Gives)
	}
	if !slices.Contains([]string{"reliability", "security", "smell"}, e.Dimension) {
		return fmt.Errorf("dimension is %q: it is reliability, security or smell", e.Dimension)
	}
	return nil
}

// errUnknown is returned if the table has no entry for a finding.
var errUnknown = errors.New("the table of severities has no entry for it")

// of returns the severity and dimension of a finding. keep is false if the table ignores it.
func (s *Severities) of(analyser, rule, severity, confidence string) (sev quality.Severity, d quality.Dimension, keep bool, err error) {
	for _, e := range s.entries[analyser] {
		if e.matches(rule, severity, confidence) {
			return quality.Severity(e.Gives), quality.Dimension(e.Dimension), e.Gives != "ignore", nil
		}
	}
	return "", "", false, fmt.Errorf("%s %s (severity %q, confidence %q): %w", analyser, rule, severity, confidence, errUnknown)
}

func (e entry) matches(rule, severity, confidence string) bool {
	if e.Severity != "" && !strings.EqualFold(e.Severity, severity) {
		return false
	}
	if len(e.Confidence) > 0 && !slices.ContainsFunc(e.Confidence, func(c string) bool { return strings.EqualFold(c, confidence) }) {
		return false
	}
	return len(e.Rules) == 0 || slices.ContainsFunc(e.Rules, func(p string) bool { return matchesRule(p, rule) })
}

var ruleRange = regexp.MustCompile(`^([A-Z]+)(\d+)-([A-Z]+)(\d+)$`)

// matchesRule reports whether a pattern of a table matches a rule.
func matchesRule(pattern, rule string) bool {
	if m := ruleRange.FindStringSubmatch(pattern); m != nil {
		return strings.HasPrefix(rule, m[1]) && len(rule) == len(m[1])+len(m[2]) && m[1]+m[2] <= rule && rule <= m[3]+m[4]
	}
	ok, err := path.Match(pattern, rule)
	return err == nil && ok || pattern == "*"
}
