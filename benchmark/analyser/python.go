package analyser

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"assay/scoring/quality"
)

// tools lists the supported analysers.
func tools() []*tool {
	return []*tool{bandit(), pylint(), ruff(), semgrep(), gosec(), eslint(), lintr()}
}

var (
	reliability = []quality.Dimension{quality.Reliability}
	security    = []quality.Dimension{quality.Security}
	both        = []quality.Dimension{quality.Reliability, quality.Security}
)

// oneFile names the source file.
func oneFile(name string) func(*Analyser, string, string) map[string]string {
	return func(_ *Analyser, _, source string) map[string]string { return map[string]string{name: source} }
}

// defused also removes the analyser's suppression word from the code, which must not choose how it is
// analysed. Most analysers have an option for that; pylint and lintr do not.
func defused(name, word, instead string) func(*Analyser, string, string) map[string]string {
	return func(_ *Analyser, _, source string) map[string]string {
		return map[string]string{name: strings.ReplaceAll(source, word, instead)}
	}
}

func fixed(list ...string) func(*Analyser, string) []string {
	return func(*Analyser, string) []string { return list }
}

// crashed returns the error for a program whose output cannot be parsed.
func crashed(o output, err error) error {
	return fmt.Errorf("it ended with exit status %d and no result (%w): %s", o.exit, err, lastLine(o.stderr))
}

func bandit() *tool {
	return &tool{name: "bandit", program: "bandit", languages: []string{"python"}, rates: security,
		least: [2]int{1, 7}, because: "older ones miss current findings, and Debian still has 1.6",
		fix:     "install it: pipx install bandit",
		version: []string{"--version"}, prepare: pythonProgram, files: oneFile("code.py"),
		arguments: fixed("-q", "--ignore-nosec", "-f", "json", "code.py"), read: readBandit}
}

func readBandit(o output) ([]raw, string, error) {
	var response struct {
		Errors []struct {
			Reason string `json:"reason"`
		} `json:"errors"`
		Results *[]struct {
			Severity   string `json:"issue_severity"`
			Confidence string `json:"issue_confidence"`
			Text       string `json:"issue_text"`
			Line       int    `json:"line_number"`
			ID         string `json:"test_id"`
		} `json:"results"`
	}
	if err := json.Unmarshal(o.stdout, &response); err != nil {
		return nil, "", crashed(o, err)
	}
	if len(response.Errors) > 0 {
		if why := response.Errors[0].Reason; strings.Contains(why, "syntax error") {
			return nil, "the code does not parse", nil
		}
		return nil, "", fmt.Errorf("it failed: %s", response.Errors[0].Reason)
	}
	if response.Results == nil || o.exit > 1 {
		return nil, "", crashed(o, fmt.Errorf("no results"))
	}
	var list []raw
	for _, r := range *response.Results {
		list = append(list, raw{r.ID, r.Severity, r.Confidence, r.Line, r.Text})
	}
	return list, "", nil
}

func pylint() *tool {
	return &tool{name: "pylint", program: "pylint", languages: []string{"python"}, rates: reliability,
		least: [2]int{2, 4}, because: "older ones do not know Python 3.8",
		fix:     "install it: apt-get install pylint, or pipx install pylint",
		version: []string{"--version"}, prepare: pythonProgram, files: defused("code.py", "pylint:", "pylint;"),
		arguments: fixed("--rcfile=/dev/null", "--persistent=n", "--score=n", "--output-format=json", "code.py"), read: readPylint}
}

func readPylint(o output) ([]raw, string, error) {
	var response []struct {
		ID      string `json:"message-id"`
		Type    string `json:"type"`
		Line    int    `json:"line"`
		Symbol  string `json:"symbol"`
		Message string `json:"message"`
	}
	if o.exit&32 != 0 {
		return nil, "", fmt.Errorf("it rejected its arguments: %s", lastLine(o.stderr))
	}
	if err := json.Unmarshal(o.stdout, &response); err != nil || response == nil {
		return nil, "", crashed(o, fmt.Errorf("no list: %v", err))
	}
	var list []raw
	for _, m := range response {
		if strings.HasPrefix(m.ID, "F") && m.ID != "F0010" { // F0010: the code does not parse
			return nil, "", fmt.Errorf("it failed: %s %s", m.ID, lastLine(m.Message))
		}
		list = append(list, raw{m.ID, m.Type, "", m.Line, m.Symbol + ": " + m.Message})
	}
	return list, "", nil
}

func ruff() *tool {
	return &tool{name: "ruff", program: "ruff", languages: []string{"python"}, rates: both,
		least: [2]int{0, 4}, because: "older ones have another output",
		fix:     "install it: pipx install ruff",
		version: []string{"--version"}, prepare: nativeProgram, files: oneFile("code.py"),
		arguments: fixed("check", "--isolated", "--no-cache", "--ignore-noqa", "--output-format", "json", "--select", "E9,F,B,S,PLE,PLR0124,PLW0127", "code.py"), read: readRuff}
}

// nativeProgram finds the dependencies of a program that is not a script.
func nativeProgram(ctx context.Context, a *Analyser, p Places) error {
	if interpreter(a.Path) != "" {
		return pythonProgram(ctx, a, p)
	}
	real, err := filepath.EvalSymlinks(a.Path)
	if err != nil {
		return err
	}
	a.argv, a.binds = []string{real}, outside(filepath.Dir(real))
	return nil
}

func readRuff(o output) ([]raw, string, error) {
	var response []struct {
		Code     *string `json:"code"`
		Message  string  `json:"message"`
		Location struct {
			Row int `json:"row"`
		} `json:"location"`
	}
	if o.exit > 1 {
		return nil, "", fmt.Errorf("it ended with exit status %d: %s", o.exit, lastLine(o.stderr))
	}
	if err := json.Unmarshal(o.stdout, &response); err != nil || response == nil {
		return nil, "", crashed(o, fmt.Errorf("no list: %v", err))
	}
	var list []raw
	for _, m := range response {
		code := "invalid-syntax"
		if m.Code != nil {
			code = *m.Code
		}
		list = append(list, raw{code, "", "", m.Location.Row, m.Message})
	}
	return list, "", nil
}

func semgrep() *tool {
	return &tool{name: "semgrep", program: "semgrep", languages: []string{"python", "javascript", "java", "go", "c", "cpp"}, rates: security,
		least: [2]int{1, 0}, because: "older ones have another output",
		fix:     "install it (pipx install semgrep) and name a file of its rules: it has no network here to fetch any",
		version: []string{"--version"}, prepare: prepareSemgrep,
		files: func(_ *Analyser, language, source string) map[string]string {
			return map[string]string{"code." + map[string]string{"python": "py", "javascript": "js", "java": "java", "go": "go", "c": "c", "cpp": "cpp"}[language]: source}
		},
		arguments: func(a *Analyser, _ string) []string {
			return []string{"scan", "--metrics=off", "--disable-version-check", "--disable-nosem", "--no-git-ignore", "--json", "--quiet", "--config", a.rules, "."}
		}, read: readSemgrep}
}

func prepareSemgrep(ctx context.Context, a *Analyser, p Places) error {
	if p.SemgrepRules == "" {
		return fmt.Errorf("%s has no rules: it would download them, and the sandbox has no network", a.Path)
	}
	rules, err := filepath.Abs(p.SemgrepRules)
	if err != nil {
		return err
	}
	a.rules = rules
	if err := pythonProgram(ctx, a, p); err != nil {
		return err
	}
	a.binds = append(a.binds, outside(rules)...)
	return nil
}

func readSemgrep(o output) ([]raw, string, error) {
	var response struct {
		Results *[]struct {
			Check string `json:"check_id"`
			Start struct {
				Line int `json:"line"`
			} `json:"start"`
			Extra struct {
				Message  string `json:"message"`
				Severity string `json:"severity"`
			} `json:"extra"`
		} `json:"results"`
		Errors []struct {
			Level   string `json:"level"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(o.stdout, &response); err != nil {
		return nil, "", crashed(o, err)
	}
	for _, e := range response.Errors {
		if e.Level == "error" {
			return nil, "", fmt.Errorf("it failed: %s", lastLine(e.Message))
		}
	}
	if response.Results == nil || o.exit > 1 {
		return nil, "", crashed(o, fmt.Errorf("no results"))
	}
	if len(response.Errors) > 0 && len(*response.Results) == 0 {
		return nil, "the code does not parse", nil
	}
	var list []raw
	for _, r := range *response.Results {
		list = append(list, raw{r.Check, r.Extra.Severity, "", r.Start.Line, r.Extra.Message})
	}
	return list, "", nil
}
