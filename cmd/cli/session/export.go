package session

import (
	"errors"
	goio "io"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/session"
	"assay/session/inspectlog"
)

// newExport returns `assay session export`.
func newExport(io *console.IO, g *console.Globals) *cobra.Command {
	o, asInspect := &bundleOptions{}, false
	cmd := &cobra.Command{
		SuggestFor: []string{"hand-in", "handin", "submit", "pack"},

		Use:   "export SESSION | export --bundle FILE SESSION... | export --bundle FILE --study STUDY",
		Short: "Print a session's events as they are stored, or pack sessions to hand them in",
		Long: `Print the events of a session, one JSON object a line, byte for byte as they
are stored: each carries the hash of the one before. SESSION is an id, the
beginning of one, or "last". Prompts, answers and code are named by their
SHA-256 and are not part of the output. With --inspect, print a log of Inspect
instead, which its viewer and scanners read: closed tasks without practice, each
with its prompts and answers, the outcome, times, verdicts and ratings, as 'assay session
import --inspect' reads them back.

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
		Example: "  assay session export last > session.jsonl\n  assay session export --inspect last > session.json\n  assay session export --bundle study.assay last\n  assay session export --bundle study.assay all\n  assay session export --bundle ann.assay --study study.toml",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("bundle") {
				return exportBundle(io, g, o, args)
			}
			if o.force || o.asJSON || o.study != "" || o.ratings != "" {
				return console.Usagef("--force, --json, --study and --ratings are for 'assay session export --bundle FILE SESSION...'")
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
	cmd.Flags().StringVar(&o.file, "bundle", "", "pack the sessions into this `file` (- is standard output)")
	cmd.Flags().StringVar(&o.study, "study", "", "with --bundle: pack the sessions of the study in this `file`")
	cmd.Flags().StringVar(&o.ratings, "ratings", "", "with --study: pack this closed `file` of 'assay rate' too")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace the file of --bundle if it is there")
	console.JSONFlag(cmd.Flags(), &o.asJSON, "print what was packed as JSON (with --bundle)", Packed{})
	cmd.MarkFlagsMutuallyExclusive("inspect", "bundle")
	return cmd
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
