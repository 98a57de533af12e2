package analyser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay/data/program"
)

func gosec() *tool {
	return &tool{name: "gosec", program: "gosec", languages: []string{"go"}, rates: security,
		fix:     "install it: go install github.com/securego/gosec/v2/cmd/gosec@latest",
		version: []string{"--version"}, prepare: prepareGosec,
		files: func(_ *Analyser, _, source string) map[string]string {
			return map[string]string{"code.go": source, "go.mod": "module code\n\ngo 1.21\n"}
		},
		arguments: fixed("-nosec", "-fmt=json", "./..."), read: readGosec}
}

// prepareGosec finds the Go toolchain, which gosec needs to read code.
func prepareGosec(ctx context.Context, a *Analyser, _ Places) error {
	said, err := program.Ask(ctx, "go", "env", "GOROOT")
	root := strings.TrimSpace(string(said.Out))
	if err != nil || root == "" {
		return fmt.Errorf("%s needs the program go, which was not found", a.Path)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return err
	}
	a.binds = outside(filepath.Dir(a.Path))
	if !strings.HasPrefix(root, "/usr/") {
		a.binds = append(a.binds, outside(root)...)
	}
	a.env = []string{"PATH=" + filepath.Join(root, "bin") + ":/usr/bin:/bin", "GOROOT=" + root, "GOPROXY=off", "GOFLAGS=-mod=mod",
		"GOTOOLCHAIN=local", "GOCACHE=/tmp/work/.cache", "GOPATH=/tmp/work/.go", "CGO_ENABLED=0"}
	return nil
}

func readGosec(o output) ([]raw, string, error) {
	var response struct {
		Errors map[string][]struct {
			Error string `json:"error"`
		} `json:"Golang errors"`
		Issues *[]struct {
			Severity   string `json:"severity"`
			Confidence string `json:"confidence"`
			Rule       string `json:"rule_id"`
			Details    string `json:"details"`
			Line       string `json:"line"`
		} `json:"Issues"`
		Stats struct {
			Files int `json:"files"`
		} `json:"Stats"`
	}
	if err := json.Unmarshal(o.stdout, &response); err != nil {
		return nil, "", crashed(o, err)
	}
	for _, errs := range response.Errors {
		if len(errs) > 0 {
			return nil, "the code does not compile: " + lastLine(errs[0].Error), nil
		}
	}
	if response.Issues == nil || response.Stats.Files == 0 {
		return nil, "", crashed(o, fmt.Errorf("it examined no file"))
	}
	if len(*response.Issues) == 0 && strings.Contains(o.stderr, "Error building the SSA") {
		return nil, "", fmt.Errorf("part of it failed, so the absence of findings proves nothing: %s", lastLine(o.stderr))
	}
	var list []raw
	for _, i := range *response.Issues {
		first, _, _ := strings.Cut(i.Line, "-")
		line, _ := strconv.Atoi(first)
		list = append(list, raw{i.Rule, i.Severity, i.Confidence, line, i.Details})
	}
	return list, "", nil
}

func eslint() *tool {
	return &tool{name: "eslint", program: "eslint", languages: []string{"javascript"}, rates: both,
		least: [2]int{9, 0}, because: "older ones have another configuration",
		fix:     "install both: npm install -g eslint eslint-plugin-sonarjs",
		version: []string{"--version"}, prepare: prepareESLint,
		files: func(a *Analyser, _, source string) map[string]string {
			return map[string]string{"code.js": source, "eslint.config.mjs": fmt.Sprintf(eslintConfig, a.home)}
		},
		arguments: fixed("-f", "json", "--no-inline-config", "--config", "eslint.config.mjs", "code.js"), read: readESLint}
}

// eslintConfig loads the plugin from eslint's folder, which is %q.
const eslintConfig = `import { createRequire } from "node:module";
const require = createRequire(%q + "/");
const sonarjs = require("eslint-plugin-sonarjs");
export default [{ ...sonarjs.configs.recommended, files: ["**/*.js"] }];
`

// prepareESLint finds node, and the plugin next to eslint.
func prepareESLint(_ context.Context, a *Analyser, _ Places) error {
	real, err := filepath.EvalSymlinks(a.Path)
	if err != nil {
		return err
	}
	at := strings.LastIndex(real, "/node_modules/")
	node, err := program.Find("node")
	if at < 0 || err != nil {
		return fmt.Errorf("%s is not in a node_modules folder, or node is missing", a.Path)
	}
	if node, err = filepath.EvalSymlinks(node); err != nil {
		return err
	}
	a.home = real[:at+len("/node_modules")]
	plugin, err := os.ReadFile(filepath.Join(a.home, "eslint-plugin-sonarjs", "package.json"))
	if err != nil {
		return fmt.Errorf("%s has no eslint-plugin-sonarjs installed next to it in %s", a.Path, a.home)
	}
	var about struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(plugin, &about); err != nil {
		return fmt.Errorf("reading the version of eslint-plugin-sonarjs: %w", err)
	}
	a.Version += " with sonarjs " + about.Version
	a.argv, a.binds = []string{node, real}, outside(a.home, filepath.Dir(filepath.Dir(node)))
	return nil
}

func readESLint(o output) ([]raw, string, error) {
	var response []struct {
		Messages []struct {
			Rule    *string `json:"ruleId"`
			Fatal   bool    `json:"fatal"`
			Line    int     `json:"line"`
			Message string  `json:"message"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(o.stdout, &response); err != nil || len(response) != 1 || o.exit > 1 {
		return nil, "", crashed(o, fmt.Errorf("%v, %d files", err, len(response)))
	}
	var list []raw
	for _, m := range response[0].Messages {
		switch {
		case m.Fatal:
			list = append(list, raw{"syntax-error", "", "", m.Line, m.Message})
		case m.Rule != nil:
			list = append(list, raw{*m.Rule, "", "", m.Line, m.Message})
		default:
			return nil, "", fmt.Errorf("it examined nothing: %s", lastLine(m.Message))
		}
	}
	return list, "", nil
}

func lintr() *tool {
	return &tool{name: "lintr", program: "Rscript", languages: []string{"r"}, rates: reliability,
		least: [2]int{3, 0}, because: "older ones lack the linters for mistakes",
		fix:     "install R and lintr: apt-get install r-cran-lintr, or install.packages(\"lintr\")",
		version: []string{"--vanilla", "-e", `cat(as.character(packageVersion("lintr")))`}, prepare: prepareR, files: defused("code.R", "nolint", "no_lint"),
		arguments: fixed("--vanilla", "-e", lintrScript), read: readLintr}
}

// lintrScript writes a line of tab-separated fields for each finding and a final marker, since lintr has no
// JSON output.
const lintrScript = `clean <- function(s) gsub("[\t\r\n]+", " ", s)
for (l in lintr::lint("code.R", linters = lintr::all_linters(), parse_settings = FALSE))
  cat(l$linter, l$type, l$line_number, clean(l$message), sep = "\t", fill = 100000)
cat("lintr-end\n")`

func prepareR(ctx context.Context, a *Analyser, _ Places) error {
	said, err := program.Ask(ctx, a.Path, "--vanilla", "-e", "cat(.libPaths(), sep = '\\n'); cat('\\n', R.home(), sep = '')")
	if err != nil {
		return fmt.Errorf("%s does not run: %w", a.Path, err)
	}
	a.binds = append(outside(strings.Fields(string(said.Out))...), outside("/etc/R")...)
	return nil
}

func readLintr(o output) ([]raw, string, error) {
	text, whole := strings.CutSuffix(strings.TrimSpace(string(o.stdout)), "lintr-end")
	if !whole || o.exit != 0 {
		return nil, "", crashed(o, fmt.Errorf("its output is incomplete"))
	}
	var list []raw
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSpace(line), "\t", 4)
		if len(f) < 4 {
			if strings.TrimSpace(line) != "" {
				return nil, "", fmt.Errorf("it wrote a line that is not a finding: %s", lastLine(line))
			}
			continue
		}
		number, _ := strconv.Atoi(strings.TrimSpace(f[2]))
		list = append(list, raw{f[0], f[1], "", number, f[3]})
	}
	return list, "", nil
}
