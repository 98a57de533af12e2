package measure

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/benchmark/analyser"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/scoring/codebleu"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/scoring/quality/rules"
)

// measureOptions are the flags of `assay measure`.
type measureOptions struct {
	path      string
	language  string
	prelude   string
	reference string
	weights   string
	mode      string
	json      bool
	rules     bool
	table     bool
	isolation judges.Isolation
	analysis  judges.Analysis
}

// New returns `assay measure`.
func New(io *console.IO, _ *console.Globals) *cobra.Command {
	o := &measureOptions{}
	cmd := &cobra.Command{
		Use:   "measure FILE|DIR",
		Short: "Measure code on disk: complexity, comments, findings, ratings",
		Long: `Measure source files without running them: whether they parse, cyclomatic and
cognitive complexity of the file and of each function, code and comment lines, what
the code is made of, what is wrong with it, and its ratings of reliability and
security from A to E. Complexity and lines are counted as SonarQube counts them.
What nothing has analysed has no rating.

Findings come from rules of assay's own, for Python, or with --analyser from
programs that are installed, which run in the sandbox. --rules lists the rules and
--table shows what findings of programs mean. With --sonarqube URL --project KEY a
server is asked about FILE as well, or without FILE about the whole project; its token
is in $SONAR_TOKEN.

Of a DIR, all files whose names tell a language are measured, those below it too,
but no hidden ones. Languages: ` + strings.Join(quality.Supported(), ", ") + `.

With --prelude, FILE is measured as the judge sees an answer: what the prelude defines
and imports is known, but neither measured nor reported.

With --reference, a Python FILE is also compared with reference code by CodeBLEU.`,
		Example: "  assay measure answer.py\n  assay measure src --language python --json\n  assay measure answer.py --reference solution.py --weights 0.1,0.1,0.4,0.4",
		Args: func(cmd *cobra.Command, args []string) error {
			for _, alone := range [][]string{{"rules", "json"}, {"table"}, {"sonarqube", "project", "json"}} {
				if cmd.Flags().Changed(alone[0]) && (alone[0] != "sonarqube" || len(args) == 0) {
					return only(cmd, args, alone)
				}
			}
			if len(args) != 1 {
				return console.Usagef("assay measure takes one file or directory, not %d; see 'assay measure --help'", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.rules:
				return printRules(io, o.json)
			case o.table:
				_, err := fmt.Fprint(io.Out, analyser.BuiltinText())
				return err
			case o.analysis.SonarQube != "" && len(args) == 0:
				return askSonarQube(cmd.Context(), io, o.analysis.SonarQube, o.analysis.Project, o.json)
			}
			o.path = args[0]
			return runMeasure(cmd.Context(), io, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.language, "language", "", "the `language` of FILE; of a DIR, only files of this language")
	f.StringVar(&o.prelude, "prelude", "", "a `file` of code that FILE is run after, as a task's prompt: its names are known, itself is not measured")
	f.StringVar(&o.reference, "reference", "", "compare with the code in this `file` by CodeBLEU")
	f.StringVar(&o.weights, "weights", "0.25,0.25,0.25,0.25", "CodeBLEU's weights of n-grams, weighted n-grams, syntax and data flow")
	f.StringVar(&o.mode, "codebleu", "fixed", "fixed, or reference: count as k4black/codebleu does, mistakes included")
	console.JSONFlag(f, &o.json, "print a JSON array", []measured{}, []rules.Rule{}, projectMeasures{})
	f.BoolVar(&o.rules, "rules", false, "list assay's own rules")
	f.BoolVar(&o.table, "table", false, "print the built-in table of severities, to be changed for --severities")
	o.analysis.Flags(cmd)
	o.isolation.Flags(cmd)
	return cmd
}

// only rejects arguments, and flags other than these and the global ones.
func only(cmd *cobra.Command, args, flags []string) (err error) {
	if len(args) > 0 {
		return console.Usagef("--%s takes no file: leave out %s", flags[0], args[0])
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(flags, f.Name) && cmd.InheritedFlags().Lookup(f.Name) == nil {
			err = console.Usagef("--%s and --%s do not go together", flags[0], f.Name)
		}
	})
	return err
}

// measured is the JSON form of one file in `assay measure`.
type measured struct {
	File string `json:"file"`
	inspect.Report
	CodeBLEU *codebleu.Score `json:"codebleu,omitempty"`
}

func runMeasure(ctx context.Context, io *console.IO, o *measureOptions) error {
	if o.language != "" && !slices.Contains(quality.Supported(), o.language) {
		return console.Usagef("--language %q is not known; known are %s", o.language, strings.Join(quality.Supported(), ", "))
	}
	compare, err := comparison(o)
	if err != nil {
		return err
	}
	files, err := sourceFiles(io.Err, o)
	if err != nil {
		return err
	}
	if err := o.isolation.Check(io.Getenv); err != nil {
		return err
	}
	in, err := prelude(o)
	if err != nil {
		return err
	}
	analysers, err := o.analysis.Open(ctx, o.isolation, io.Getenv)
	if err != nil {
		return err
	}
	defer analysers.Close(io.Err)
	list, failed := []measured{}, 0
	for _, file := range files {
		m, err := measureFile(ctx, o, file, analysers, in, compare)
		if err != nil && len(files) == 1 {
			return err
		}
		if err != nil {
			failed++
			fmt.Fprintf(io.Err, "assay: %v\n", err)
			continue
		}
		list = append(list, m)
	}
	if o.json {
		if err := console.WriteJSON(io, list); err != nil {
			return err
		}
	} else {
		printMeasures(io.Out, list)
	}
	if failed > 0 {
		return console.WithCode(console.ExitError, fmt.Errorf("%d of %d files could not be measured", failed, len(files)))
	}
	return nil
}

// measureFile measures one file, and compares it with the reference if there is one.
func measureFile(ctx context.Context, o *measureOptions, file sourceFile, opened *judges.Analysers, in inspect.Context, compare func(string, []byte) (*codebleu.Score, error)) (measured, error) {
	source, err := readSource(file.path)
	if err != nil {
		return measured{}, err
	}
	m := measured{File: file.path}
	if m.Report, err = inspect.Within(file.language, source, in); err == nil {
		err = o.analyse(ctx, opened, file, source, in, &m.Report)
	}
	if err != nil {
		return measured{}, fmt.Errorf("%s: %w", file.path, err)
	}
	if compare != nil {
		if m.CodeBLEU, err = compare(file.language, source); err != nil {
			return measured{}, fmt.Errorf("comparing %s: %w", file.path, err)
		}
	}
	return m, nil
}

// prelude reads what precedes each file in a program.
func prelude(o *measureOptions) (in inspect.Context, err error) {
	if o.prelude == "" {
		return in, nil
	}
	text, err := readSource(o.prelude)
	if err != nil {
		return in, fmt.Errorf("reading the prelude: %w", err)
	}
	in.Before = string(text)
	if !strings.HasSuffix(in.Before, "\n") {
		in.Before += "\n"
	}
	return in, nil
}

// comparison reads the reference; nil if there is none.
func comparison(o *measureOptions) (func(string, []byte) (*codebleu.Score, error), error) {
	weights, mode, err := codeBLEUOptions(o)
	if err != nil || o.reference == "" {
		return nil, err
	}
	reference, err := readSource(o.reference)
	if err != nil {
		return nil, fmt.Errorf("reading the reference: %w", err)
	}
	if len(bytes.TrimSpace(reference)) == 0 {
		return nil, fmt.Errorf("%s is empty: there is no reference to compare with", o.reference)
	}
	return func(language string, source []byte) (*codebleu.Score, error) {
		s, err := codebleu.Compare(language, string(source), []string{string(reference)}, weights, mode)
		return &s, err
	}, nil
}

func codeBLEUOptions(o *measureOptions) (w codebleu.Weights, mode codebleu.Mode, err error) {
	switch o.mode {
	case "fixed":
	case "reference":
		mode = codebleu.Reference
	default:
		return w, mode, console.Usagef("--codebleu is fixed or reference, not %q", o.mode)
	}
	var rest string
	if n, _ := fmt.Sscanf(o.weights+" .", "%g,%g,%g,%g %s", &w.NGram, &w.WeightedNGram, &w.Syntax, &w.DataFlow, &rest); n != 5 || rest != "." {
		return w, mode, console.Usagef("--weights takes four numbers with commas between them, as 0.1,0.1,0.4,0.4, not %q", o.weights)
	}
	if err := w.Check(); err != nil {
		return w, mode, console.WithCode(console.ExitUsage, err)
	}
	return w, mode, nil
}

// printMeasures prints a block for each file.
func printMeasures(out io.Writer, list []measured) {
	for i, m := range list {
		if i > 0 {
			fmt.Fprintln(out)
		}
		printMeasured(out, &m)
	}
}
