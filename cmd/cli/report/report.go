package report

import (
	"errors"
	"fmt"
	stdio "io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/cmd/cli/console"
	"assay/cmd/cli/eval"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/rate"
	"assay/cmd/cli/stores"
	"assay/cmd/cli/terminal"
	"assay/data/disk"
	"assay/data/program"
	"assay/session"
	"assay/session/llm"
	"assay/session/overlap"
	"assay/session/report"
	diffreport "assay/session/report/difficulty"
	"assay/session/report/evaluations"
	"assay/session/report/ratings"
	"assay/session/report/sessions"
	"assay/session/study"
	"assay/store"
	"assay/tui/frame"
)

// Flags are the flags of a report.
type Flags struct {
	Dir, Title string
	Json, Html bool
	brief      bool
	check      bool
	Blind      bool
	browse     bool
	newTasks   bool
	overlap    string
	study      string
	analysis   *overlap.Analysis // read from overlap
	frozen     *sessions.StudyFiles
	price      func(*session.State) *session.Price
	results    resultsFlags
}

func (f *Flags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Dir, "out", "", "write the report, its tables and figures into this `directory`")
	cmd.Flags().StringVar(&f.Title, "title", "", "title of the report")
	console.JSONFlag(cmd.Flags(), &f.Json, "print the report, or the checks, as JSON", sessions.Report{}, evaluations.Report{}, []report.Check{})
	cmd.Flags().BoolVar(&f.Html, "html", false, "print the report as one HTML page")
	cmd.Flags().BoolVar(&f.brief, "brief", false, "print the summary, the participants and the methods alone: two pages")
	cmd.Flags().BoolVar(&f.Blind, "blind", false, "name the models of blind studies as their testers read them, even when 'assay study unblind' has named them")
	cmd.Flags().BoolVar(&f.check, "check", false, "check a written report, or the report of the sessions")
	cmd.Flags().StringVar(&f.results.tasks, "tasks", "", "of results: the `file` of tasks, which has difficulty, year, category and so on")
	cmd.Flags().StringVar(&f.results.format, "tasks-format", "", "of results: "+inputs.TasksFormatHelp)
	cmd.Flags().StringVar(&f.results.ks, "k", "", "of results: the k of pass@k; several with commas (default: those of 1, 5, 10, 100 that all tasks have samples for)")
	eval.ByFlag(cmd, &f.results.by)
	f.results.choose.Flags(cmd.Flags())
	cmd.Flags().StringArrayVar(&f.results.cutoffs, "cutoff", nil, "of results: the end of a model's training data, as `NAME=DATE` with the name of its results; may be repeated")
	cmd.Flags().BoolVar(&f.results.allPairs, "all-pairs", false, "of results: compare all pairs of more than twelve runs in all metrics (default: each with the next in rank, and the first ones with the best)")
	cmd.Flags().StringVar(&f.results.toReview, "to-review", "", "of results: "+eval.ToReviewHelp)
	cmd.Flags().StringVar(&f.results.labels, "labels", "", "of results: a CSV `file` with people's labels; columns run,task,sample,explanation,cause")
	cmd.Flags().StringVar(&f.overlap, "overlap", "", "of sessions: a closed `file` of 'assay rate'; the agreement of its raters becomes a section")
	cmd.Flags().StringVar(&f.study, "study", "", "report the sessions of the frozen study in this `file`, and no others")
	cmd.Flags().BoolVar(&f.newTasks, "new-tasks", false, "of sessions by several testers: intervals also generalize to other tasks like these (default: to other testers, on these tasks)")
	cmd.Flags().BoolVar(&f.browse, "browse", false, "look at results on the screen; SESSION may be left out")
	for _, other := range []string{"out", "json", "html", "brief", "check", "overlap", "study", "title", "new-tasks"} {
		cmd.MarkFlagsMutuallyExclusive("browse", other)
	}
	cmd.MarkFlagsMutuallyExclusive("html", "json")
	cmd.MarkFlagsMutuallyExclusive("html", "check")
	cmd.MarkFlagsMutuallyExclusive("out", "check")
	cmd.MarkFlagsMutuallyExclusive("brief", "json")
	cmd.MarkFlagsMutuallyExclusive("brief", "check")
}

// New returns `assay report`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	var f Flags
	cmd := &cobra.Command{
		Use:   "report SESSION... | --study FILE | RESULTS...",
		Short: "Report sessions, or the results of evaluations, with their uncertainty",
		Long: `Report a session, or several in one report. A session is given by its id, the
beginning of one, or "last"; "all" is every session of the store, and --study reports
those of one study, without rehearsals. With several testers, intervals are over
testers; models, prompt levels and contexts are compared over testers, or task by task
if one tester worked in both. People and automatic testers (assay run tester) are
reported side by side, and never pooled.

RESULTS are directories written by 'assay eval … --out DIRECTORY'. Each is a run: of a
model, or with a prompt. NAME=DIRECTORY names a run. The report has pass@k,
pass-ratio@n and verdicts, the tables and figures of Yeo et al. 2024 and Su et al. 2023,
splits by metadata, which --tasks provides, and comparisons of all runs, task by task,
except of two that differ in both model and type of prompt.

Without --out the report is drawn on a terminal and printed as Markdown elsewhere, with
--json as JSON, with --html as one page. With --out it is written into a directory:

  report.html     the page, which needs no other file and no network. Its headings
                  sort tables, lines above them search, and drawings lead to rows;
                  it can be read without scripts. Print it for a PDF, which leaves
                  out its last sections. The tasks one by one stand at its end, or
                  where they are many in appendix/
  brief.html      its first sections: the answer, who took part, and how
  report.md       the same without them
  report.json     every number; report.schema.json is its JSON Schema and says
                  what each of them means
  paper/          what is printed, for LaTeX: acmart.tex and IEEEtran.tex set the
                  same body.tex, whose tables and figures are those beside it
  tables/*.tex    every table for LaTeX, with booktabs
  figures/        drawings as SVG, PNG and TikZ, each beside its data in CSV. The
                  letters of the PNG are Latin, Greek and Cyrillic; a box stands
                  for any other
  dataset/        the tidy tables (participants, sessions, tasks, attempts, ratings,
                  labels; of results runs, tasks, samples) with their codebook
  repeat.R        computes the numbers of the page again from the dataset, in R
                  with jsonlite and nothing of assay's: 'Rscript repeat.R'
  SHA256SUMS      the files, for 'sha256sum -c' and for --check

'assay report --check DIRECTORY' checks such a directory: all totals, percentages and
means agree; the results follow from the tables; each number on the page is one of
report.json, rounded correctly; no file was changed; and, for sessions in the store, the
report matches their logs and, if all are there, equals one made now, file by file. With
--check and sessions instead, nothing is written. The exit code is 1 if a check fails.

--filter and --saved-filter choose the tasks of the report, by the metadata that sessions
store or that --tasks provides for results; the first page says so.

With --browse the screen shows all sessions, or the given one, instead: numbers, figures,
tasks, and every attempt with its prompt, answer, changes, tests and ratings. A filter chooses
the tasks of the sessions that are opened there.

While another process holds the store, the snapshot beside it is read.`,
		SuggestFor: []string{"results", "result"},
		Example:    "  assay report last --out report\n  assay report GPT-4=results/gpt4 Bard=results/bard --tasks HumanEval.jsonl.gz --out report",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.browse {
				return browseResults(cmd.Context(), io, g, args, f)
			}
			return run(io, g, args, f)
		},
	}
	f.flags(cmd)
	return cmd
}

// run makes or checks a report of what the arguments name.
func run(io *console.IO, g *console.Globals, args []string, f Flags) error {
	switch {
	case f.study != "" && len(args) > 0:
		return console.Usagef("--study reports all sessions of the study in the store: leave out %s", args[0])
	case len(args) == 0 && f.study == "":
		return console.Usagef("assay report takes sessions (ids, their beginnings, \"last\" or \"all\"), or directories with results of assay eval; see 'assay report --help'")
	case f.check && len(args) == 1 && isReport(args[0]) && f.results.choose.IsSet():
		return console.Usagef("a written report is checked with the filter that it was made with: leave out %s", f.results.choose.Flag())
	case f.check && len(args) == 1 && isReport(args[0]):
		return checkReport(io, g, args[0], f.Json)
	}
	switch runs, err := eval.ResultsIn(args); {
	case err != nil:
		return err
	case len(runs) > 0 && f.overlap != "":
		return console.Usagef("--overlap is for sessions, but %q has results of 'assay eval'", args[0])
	case len(runs) > 0:
		return reportResults(io, g, runs, f)
	}
	if flag := f.results.only(); flag != "" {
		return console.Usagef("%s is for results of 'assay eval', and this is a report of sessions, which has its own k, splits and labels; --filter and --saved-filter choose tasks of sessions", flag)
	}
	filter, err := f.results.choose.Filter()
	if err != nil {
		return err
	}
	if f.overlap != "" {
		if f.analysis, err = rate.Analyse(f.overlap, overlap.Apart, filter); err != nil {
			return err
		}
		if f.analysis.Pairs != nil {
			return console.Usagef("%s has pairs, which 'assay rate report %[1]s' reports", program.Word(f.overlap))
		}
	}
	return reportSessions(io, g, args, f, filter)
}

// isReport reports whether a directory is to be checked as a written report: every directory
// except the results of an evaluation, so that the error names what is missing.
func isReport(path string) bool {
	if !disk.IsDir(path) {
		return false
	}
	if _, err := os.Stat(filepath.Join(path, "report.json")); err == nil {
		return true
	}
	_, err := batch.ReadResults(path)
	return errors.Is(err, os.ErrNotExist)
}

// reportSessions keeps the store open until everything is written: the texts of an appendix are
// read one by one.
func reportSessions(io *console.IO, g *console.Globals, args []string, f Flags, filter benchmark.Filter) error {
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return err
	}
	models, problem := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
	if problem != nil {
		console.SayNotes(io, []string{fmt.Sprintf("the report has no cost: %v", problem)})
	}
	f.price = func(s *session.State) *session.Price { return inputs.PriceOf(s.Plan, s.Plan.Model, models) }
	var r *sessions.Report
	if f.study != "" {
		if args, err = stores.StudySessions(k, f.study); err == nil {
			f.frozen, err = studyFiles(k, f.study)
		}
	}
	if err == nil {
		r, err = build(k, args, f, filter)
	}
	if err == nil && slices.Equal(args, []string{"last"}) {
		err = sayOthers(io, k)
	}
	switch {
	case err != nil:
	case f.check:
		err = printChecks(io, r.Checks, f.Json)
	default:
		err = Print(io, g, r, f)
	}
	return errors.Join(err, k.Close())
}

// sayOthers says that the latest session is not all, if the store has sessions of other models over the same benchmark. Those of
// a study are reported together by its file.
func sayOthers(io *console.IO, k stores.Kept) error {
	rows, err := k.Sessions()
	if err != nil || len(rows) == 0 {
		return err
	}
	last := slices.MinFunc(rows, stores.LatestFirst)
	others := slices.DeleteFunc(rows, func(r session.Summary) bool {
		return r.Benchmark != last.Benchmark || r.Model == last.Model || r.Study != nil || r.Status == session.StatusWithdrawn
	})
	if last.Study == nil && len(others) > 0 {
		fmt.Fprintf(io.Err, "note: last is one session; the store has %s of other models over %s: 'assay report all' compares them\n", frame.Count(len(others), "session"), frame.OneLine(last.Benchmark))
	}
	return nil
}

// studyFiles returns the files of a study for the dataset; nil for a packed study.
func studyFiles(k stores.Kept, path string) (*sessions.StudyFiles, error) {
	if packed, err := stores.ReadPacked(path); err != nil || packed != nil {
		return nil, err
	}
	s, lock, unblinded, err := stores.FrozenStudy(k, path)
	if err != nil {
		return nil, err
	}
	files := sessions.StudyFiles{Places: s.Design.Testers}
	if files.File, files.Lock, err = s.Publish(lock, s.Blind() && len(unblinded) == 0); err != nil {
		return nil, err
	}
	files.Waiting, err = waiting(k, s, lock.Hash)
	return &files, err
}

// waiting counts the reserved places of a study that have no session.
func waiting(k stores.Kept, s *study.Study, hash string) (int, error) {
	reserved, err := s.Reserved(hash)
	if err != nil {
		return 0, err
	}
	rows, err := k.Sessions()
	return len(slices.DeleteFunc(reserved, func(p study.Reserved) bool {
		return slices.ContainsFunc(rows, func(r session.Summary) bool {
			return r.Study != nil && r.Study.Hash == hash && r.Study.Tester == p.Tester
		})
	})), err
}

// build builds the report of sessions.
func build(k stores.Kept, meant []string, f Flags, filter benchmark.Filter) (*sessions.Report, error) {
	ids, err := stores.SessionIDs(k, meant)
	if err != nil {
		return nil, err
	}
	if f.frozen == nil { // the study's owner has its file; a tester's packed study does not count
		rows, err := k.Sessions()
		if err != nil {
			return nil, err
		}
		if at := slices.IndexFunc(ids, func(id string) bool { return store.ResultsLater(rows, id) }); at >= 0 {
			return nil, fmt.Errorf("session %s is not reported yet: its study shows a tester's results after their last session; the study's owner reports it with --study FILE", ids[at])
		}
	}
	blind, err := stores.StaysBlind(k, ids)
	if err != nil {
		return nil, err
	}
	logs, err := revealedLogs(k)
	if err != nil {
		return nil, err
	}
	return sessions.FromLogs(logs, ids, sessions.Options{Filter: filter, Title: f.Title, Blind: f.Blind || blind, Overlap: f.analysis, NewTasks: f.newTasks, Study: f.frozen, Price: f.price})
}

// Print writes or prints a report according to its flags.
func Print(io *console.IO, g *console.Globals, r written, f Flags) error {
	if f.Dir != "" {
		files, err := r.WriteDir(f.Dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(io.Err, "wrote %s; open %s\n", frame.Count(len(files), "file"), program.Word(files[0]))
	}
	switch {
	case f.brief && f.Html:
		return r.Document().Brief().HTML(console.Data(io.Out))
	case f.brief:
		return terminal.Page(io, g, func(w stdio.Writer) error { return r.Document().Brief().Markdown(w, false) })
	case f.Json:
		return r.JSON(console.Data(io.Out))
	case f.Html:
		return r.HTML(console.Data(io.Out))
	case f.Dir == "":
		return terminal.Page(io, g, r.Markdown)
	}
	return nil
}

// checkReport checks a written report, and compares it with the logs in the store.
func checkReport(io *console.IO, g *console.Globals, dir string, asJSON bool) error {
	files := os.DirFS(dir)
	var checks []report.Check
	var err error
	switch {
	case evaluations.IsReport(files):
		_, checks, err = evaluations.CheckFiles(files)
	case diffreport.IsReport(files):
		_, checks, err = diffreport.CheckFiles(files)
	case ratings.IsReport(files):
		_, checks, err = ratings.CheckFiles(files)
	default:
		var r *sessions.Report
		if r, checks, err = sessions.CheckFiles(files); err == nil {
			var more []report.Check
			if more, err = checkAgainstStore(io, g, r, files); err != nil {
				return err
			}
			checks = append(checks, more...)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return printChecks(io, checks, asJSON)
}

// checkAgainstStore compares a report with the logs in the store, if there is one.
func checkAgainstStore(io *console.IO, g *console.Globals, r *sessions.Report, files fs.FS) (checks []report.Check, err error) {
	if _, err := os.Stat(stores.Path(io, g)); err != nil {
		return nil, nil
	}
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	var ids []string
	for _, h := range r.Sessions {
		ids = append(ids, h.ID)
	}
	blind, err := stores.StaysBlind(k, ids)
	if err != nil {
		return nil, err
	}
	logs, err := revealedLogs(k)
	if err != nil {
		return nil, err
	}
	if r.BeforeUnblinding() {
		logs.unblinded = nil
	}
	return r.CheckLogs(files, logs, blind, console.Version())
}

// revealed are the logs of a store with the names of models whose study was unblinded.
type revealed struct {
	stores.Kept
	unblinded []study.Unblinding
}

func revealedLogs(k stores.Kept) (revealed, error) {
	unblinded, err := k.Unblinded()
	return revealed{k, unblinded}, err
}

// Events implements [sessions.Logs].
func (r revealed) Events(id string, fromSeq uint64) ([]session.Event, error) {
	events, err := r.Kept.Events(id, fromSeq)
	return study.Reveal(r.unblinded, events), err
}

func printChecks(io *console.IO, checks []report.Check, asJSON bool) error {
	faults := 0
	for _, c := range checks {
		faults += len(c.Faults)
	}
	if asJSON {
		if err := console.WriteJSON(io, checks); err != nil {
			return err
		}
	} else {
		for _, c := range checks {
			mark := "ok  "
			if len(c.Faults) > 0 {
				mark = "FAIL"
			}
			fmt.Fprintf(io.Out, "%s  %s (%d compared)\n", mark, c.Name, c.Compared)
			for _, f := range c.Faults {
				fmt.Fprintf(io.Out, "      %s\n", f)
			}
		}
	}
	if faults > 0 {
		return fmt.Errorf("the report fails its check: %d faults; write it again with 'assay report … --out DIRECTORY'", faults)
	}
	return nil
}
