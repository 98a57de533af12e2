package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/data/disk"
	"assay/session/bundle"
	"assay/tui/frame"
)

// verifyOptions are the flags of `assay session verify`.
type verifyOptions struct {
	noRun     bool
	isolation judges.Isolation
	asJSON    bool
}

// verifiedBundle is the JSON form of a bundle's check.
type verifiedBundle struct {
	Bundle    string       `json:"bundle"`
	OK        bool         `json:"ok"` // nothing differs; see not_compared for what could not be
	Seal      string       `json:"seal"`
	WrittenBy string       `json:"written_by"` // version of assay
	Verifier  string       `json:"verified_by"`
	Sessions  int          `json:"sessions"`
	Events    int          `json:"events"`
	Texts     int          `json:"texts"`
	Files     int          `json:"files"`
	Isolation string       `json:"isolation,omitempty"` // of the code that was run
	Study     *bundle.Part `json:"study,omitempty"`     // whose file and lock are in the bundle
	bundle.Findings
}

// isFile reports whether an argument names an existing file other than a folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

func verifyBundle(ctx context.Context, io *console.IO, path string, o *verifyOptions) error {
	x, err := judges.NewExecution(o.isolation, io.Getenv)
	if err != nil {
		return err
	}
	defer x.Close()
	b, err := readBundle(path)
	if err == nil {
		var checked verifiedBundle
		if checked, err = checkBundle(ctx, io, path, b, x, o.noRun); err == nil {
			return printBundle(io, checked, o.asJSON)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	// The error may quote text from a stranger's file.
	err = errors.New(verdicts.StripEscapes(fmt.Sprintf("the bundle %s does not verify: %v", path, err)))
	if o.asJSON {
		problem := refusedBundle{path, false, err.Error()}
		if err := console.WriteJSON(io, problem); err != nil {
			return err
		}
	}
	return err
}

// refusedBundle is a bundle that does not verify.
type refusedBundle struct {
	Bundle  string `json:"bundle"`  // its file
	OK      bool   `json:"ok"`      // false
	Problem string `json:"problem"` // why
}

func readBundle(path string) (*bundle.Bundle, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bundle.Read(f)
}

func checkBundle(ctx context.Context, io *console.IO, path string, b *bundle.Bundle, x *judges.Execution, noRun bool) (verifiedBundle, error) {
	progress := judges.NewProgress(io.Err)
	o := bundle.Options{Judge: x, Workers: runtime.NumCPU(), Progress: func(done, total int) {
		if progress.Due() {
			progress.Print(fmt.Sprintf("%d of %d answers judged again", done, total))
		}
	}}
	if noRun {
		o.Judge = nil
	}
	findings, err := b.Verify(ctx, o)
	progress.End()
	texts, _, files := b.Count()
	c := verifiedBundle{
		Bundle: path, OK: findings.Same(), Seal: b.Manifest.Seal, WrittenBy: oneLine(verdicts.StripEscapes(b.Manifest.Assay)), Verifier: console.Version(),
		Sessions: len(b.Manifest.Sessions), Events: b.Events(), Texts: texts, Files: files, Findings: findings, Study: b.Manifest.Study,
	}
	if findings.Verdicts.Compared > 0 {
		c.Isolation, _ = x.Describe(ctx)
	}
	return c, err
}

func printBundle(io *console.IO, c verifiedBundle, asJSON bool) error {
	if asJSON {
		if err := console.WriteJSON(io, c); err != nil {
			return err
		}
	} else {
		// It contains names and messages from a stranger's file.
		fmt.Fprint(io.Out, verdicts.StripEscapes(bundleText(c)))
	}
	return bundleStatus(c)
}

func bundleText(c verifiedBundle) string {
	var b strings.Builder
	line := func(ok bool, format string, args ...any) {
		mark := "✓ "
		if !ok {
			mark = "✗ "
		}
		fmt.Fprintf(&b, mark+format+"\n", args...)
	}
	line(true, "files     %d, each with its size and SHA-256; written by assay %s", c.Files, c.WrittenBy)
	line(true, "logs      %s, %s, every hash chain unbroken", frame.Count(c.Sessions, "session"), frame.Count(c.Events, "event"))
	line(true, "texts     %d, all that the logs refer to", c.Texts)
	if s := c.Study; s != nil {
		what := "file, lock and analysis plan are those of the sessions"
		if s.Blind {
			what += "; blind: no model is named"
		}
		if s.Ratings {
			what += "; with the raters' ratings"
		}
		line(true, "study     %s, version %d, frozen as %.12s…: %s", oneLine(s.Name), s.Version, s.Hash, what)
	}
	v := c.Verdicts
	switch {
	case !v.Ran:
		fmt.Fprintf(&b, "- verdicts  of %d answers, none judged again, as requested\n", v.Answers)
	case v.Compared == 0:
		fmt.Fprintf(&b, "- verdicts  of %d answers, none compared\n", v.Answers)
	case len(v.Differ) == 0:
		line(true, "verdicts  %d of %d answers judged again, %s: no verdict differs", v.Compared, v.Answers, c.Isolation)
	default:
		line(false, "verdicts  %d of %d answers judged again, %s: %d differ", v.Compared, v.Answers, c.Isolation, len(v.Differ))
	}
	for _, d := range v.Differ {
		fmt.Fprintf(&b, "    %s, %s: recorded %s, now %s", oneLine(d.Task), step(d.Answer), outcome(d.Recorded), outcome(d.Now))
		if d.Message != "" {
			fmt.Fprintf(&b, " (%s)", oneLine(d.Message))
		}
		if d.Recorded.Interpreter != d.Now.Interpreter {
			fmt.Fprintf(&b, "; recorded with %s, run now with %s", oneLine(d.Recorded.Interpreter), d.Now.Interpreter)
		}
		fmt.Fprintf(&b, "  [session %s]\n", d.Session)
	}
	for _, a := range v.Code {
		fmt.Fprintf(&b, "    %s, %s: the code extracted from the answer differs from the recorded code   [session %s]\n", oneLine(a.Task), step(a), a.Session)
	}
	for _, n := range v.NotCompared {
		fmt.Fprintf(&b, "    not compared: %d, %s\n", n.Count, oneLine(n.Reason))
	}
	if len(c.Report.Differ) == 0 {
		line(true, "report    %d files made anew: identical", c.Report.Files)
	} else {
		line(false, "report    %d files: %d differ", c.Report.Files, len(c.Report.Differ))
	}
	for _, f := range c.Report.Differ {
		fmt.Fprintf(&b, "    %s: %s\n", f.Name, f.Problem)
	}
	fmt.Fprintf(&b, "seal %s\n", c.Seal)
	return b.String()
}

func outcome(o bundle.Outcome) string { return fmt.Sprintf("%s %d/%d", o.Verdict, o.Passed, o.Total) }

// oneLine joins the lines of a message.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// bundleStatus returns the exit code of the result.
func bundleStatus(c verifiedBundle) error {
	if !c.OK {
		why := "the tests or limits may act otherwise on this machine; the lists above say where to look"
		if c.WrittenBy != c.Verifier {
			why = fmt.Sprintf("this is assay %s, and %s wrote the bundle: verify it with that version before you conclude anything", c.Verifier, c.WrittenBy)
		}
		return fmt.Errorf("the bundle %s is whole but not reproduced: %d verdicts, the code of %d answers and %d files of the report differ; %s",
			c.Bundle, len(c.Verdicts.Differ), len(c.Verdicts.Code), len(c.Report.Differ), why)
	}
	if n := c.Missing(); n > 0 {
		return console.WithCode(console.ExitPartial, fmt.Errorf("%d of %d verdicts of the bundle %s could not be compared here: see the reasons, install what is missing and verify again",
			n, c.Verdicts.Answers, c.Bundle))
	}
	return nil
}

// step names an answer within its task.
func step(a bundle.Answer) string {
	if a.Edit > 0 {
		return fmt.Sprintf("attempt %d, edit %d by hand", a.Attempt, a.Edit)
	}
	return fmt.Sprintf("attempt %d", a.Attempt)
}
