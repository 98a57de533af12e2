package session

import (
	"errors"
	"fmt"
	goio "io"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/stores"
	"assay/data/program"
	"assay/session"
	"assay/session/inspectlog"
	"assay/session/report/sessions"
	"assay/tui/frame"
)

// newExport returns `assay session export`.
func newExport(io *console.IO, g *console.Globals) *cobra.Command {
	o, asInspect, samples, choose := &bundleOptions{}, false, "", inputs.Chooser{}
	cmd := &cobra.Command{
		SuggestFor: []string{"hand-in", "handin", "submit", "pack"},

		Use:   "export SESSION | export --samples DIR SESSION... | export --bundle FILE SESSION... | export --bundle FILE --study STUDY",
		Short: "Print a session's events as they are stored, or pack sessions to hand them in",
		Long: `Print the events of a session, one JSON object a line, byte for byte as they
are stored: each carries the hash of the one before. SESSION is an id, the
beginning of one, or "last". Prompts, answers and code are named by their
SHA-256 and are not part of the output. With --inspect, print a log of Inspect
instead, which its viewer and scanners read: closed tasks without practice, each
with its prompts and answers, the outcome, times, verdicts and ratings, as 'assay session
import --inspect' reads them back.

With --samples, write the final answers of one or more sessions, or "all", into a directory
for 'assay eval': tasks.json, a file NAME.jsonl of answers for each model (or arm), and
labels.csv with what testers said of the answers, which 'assay report --labels' reads.
--filter and --saved-filter choose the tasks.

With --bundle, pack one or more sessions, or "all", into one file, to hand in to the owner
of a study ('assay study collect' takes it in) or to give to a reviewer; with --study, pack
the sessions of that study alone. FILE of --study is the tester's packed study, or the
study file of its owner: then the bundle also holds the study file, its lock, the records
of unblinding and, with --ratings, what raters gave. A study that is still blind is packed
without the models' names. The file holds the events, the tasks with their tests,
prompts, answers, code, outputs, the report, settings and versions. 'assay session verify FILE' checks it on any
machine. The same sessions give the same bytes. The bundle's seal is printed: a
SHA-256 over all of its contents, to be cited beside the results.

A bundle holds everything that testers wrote, notes too: look before you publish.`,
		Example: "  assay session export last > session.jsonl\n  assay session export --inspect last > session.json\n  assay session export --samples answers all\n  assay session export --bundle study.assay last\n  assay session export --bundle study.assay all\n  assay session export --bundle ann.assay --study study.toml",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("bundle") && !choose.IsSet() {
				return exportBundle(io, g, o, args)
			}
			if o.force || o.asJSON || o.study != "" || o.ratings != "" {
				return console.Usagef("--force, --json, --study and --ratings are for 'assay session export --bundle FILE SESSION...'")
			}
			if cmd.Flags().Changed("samples") {
				filter, err := choose.Filter()
				if err != nil {
					return err
				}
				return exportSamples(io, g, samples, filter, args)
			}
			if choose.IsSet() {
				return console.Usagef("%s is for 'assay session export --samples DIR SESSION...': a log is exported whole", choose.Flag())
			}
			arg, err := stores.SessionArg(cmd, args)
			if err != nil {
				return err
			}
			k, err := stores.OpenKept(io, g)
			if err != nil {
				return err
			}
			id, err := stores.SessionID(k, arg)
			switch {
			case err != nil:
			case asInspect:
				err = exportInspect(k, id, console.Data(io.Out))
			default:
				err = k.Export(id, console.Data(io.Out))
			}
			return errors.Join(err, k.Close())
		},
	}
	cmd.Flags().BoolVar(&asInspect, "inspect", false, "print a log of Inspect (inspect_ai, JSON): each task as a conversation, with what the tester and the tests said")
	cmd.Flags().StringVar(&samples, "samples", "", "write the final answers, their tasks and labels into this `directory`, for 'assay eval'")
	choose.Flags(cmd.Flags())
	cmd.Flags().StringVar(&o.file, "bundle", "", "pack the sessions into this `file` (- is standard output)")
	cmd.Flags().StringVar(&o.study, "study", "", "with --bundle: pack the sessions of the study in this `file`")
	cmd.Flags().StringVar(&o.ratings, "ratings", "", "with --study: pack this closed `file` of 'assay rate' too")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace the file of --bundle if it is there")
	console.JSONFlag(cmd.Flags(), &o.asJSON, "print what was packed as JSON (with --bundle)", Packed{})
	cmd.MarkFlagsMutuallyExclusive("inspect", "bundle", "samples")
	return cmd
}

// exportSamples writes the final answers of sessions for evaluations. Models of blind studies keep the names that testers read.
func exportSamples(io *console.IO, g *console.Globals, dir string, filter benchmark.Filter, args []string) (err error) {
	if dir == "" || len(args) == 0 {
		return console.Usagef("assay session export --samples takes a directory, and one or more sessions: ids, their beginnings, \"last\" or \"all\"")
	}
	k, err := stores.OpenKept(io, g)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	ids, err := stores.SessionIDs(k, args)
	if err != nil {
		return err
	}
	blind, err := stores.StaysBlind(k, ids)
	if err != nil {
		return err
	}
	r, err := sessions.FromLogs(k, ids, sessions.Options{Blind: blind, Filter: filter})
	if err != nil {
		return err
	}
	files, err := r.WriteSamples(dir)
	if err != nil {
		return fmt.Errorf("the answers cannot be written for evaluations: %w", err)
	}
	fmt.Fprintf(io.Err, "wrote %s; judge each NAME.jsonl by 'assay eval %s --tasks %s --out RESULTS/NAME', then 'assay report NAME=RESULTS/NAME… --tasks %[3]s --labels %[4]s'\n",
		frame.Count(len(files), "file"), program.Word(filepath.Join(dir, "NAME.jsonl")), program.Word(filepath.Join(dir, "tasks.json")), program.Word(filepath.Join(dir, "labels.csv")))
	return nil
}

// exportInspect writes a session as a log of Inspect.
func exportInspect(k stores.Kept, id string, out goio.Writer) error {
	events, err := k.Events(id, 0)
	if err != nil {
		return err
	}
	s, intervals, err := session.Fold(events)
	if err != nil {
		return err
	}
	return inspectlog.Write(out, s, intervals, k.Blob)
}
