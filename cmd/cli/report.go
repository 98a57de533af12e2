package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"assay/session/report"
)

// newReport makes `assay report`.
func newReport(io *IO, g *globals) *cobra.Command {
	var dir string
	var asJSON, browse bool
	cmd := &cobra.Command{
		Use:   "report SESSION",
		Short: "Report a session: attempts, times, ratings, tests, with their uncertainty",
		Long: `Report a session, which is given by its id, the beginning of one, or "last".

Without --out the report is printed as Markdown, or with --json as JSON. With
--out it is written as report.md and report.json, with tidy tables in CSV
(sessions, tasks, attempts, ratings, labels), the codebook of their columns, and
figures/ with SVG drawings, each beside its data in CSV; report.md shows them.

With --browse sessions are looked at on the screen instead, all of them or the one
that is given: numbers, figures, tasks, and every attempt with its prompt, answer,
changes, tests and ratings.

While another process holds the store, the snapshot beside it is read.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if browse {
				return browseResults(cmd.Context(), io, g, args)
			}
			meant, err := sessionArg(args, "report")
			if err != nil {
				return err
			}
			k, err := openKept(io, g)
			if err != nil {
				return err
			}
			r, err := buildReport(k, meant)
			if err = errors.Join(err, k.Close()); err != nil {
				return err
			}
			return printReport(io, r, dir, asJSON)
		},
	}
	cmd.Flags().StringVar(&dir, "out", "", "write the report and its tables into this `directory`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.Flags().BoolVar(&browse, "browse", false, "look at results on the screen; SESSION may be left out")
	cmd.MarkFlagsMutuallyExclusive("browse", "out")
	cmd.MarkFlagsMutuallyExclusive("browse", "json")
	return cmd
}

func buildReport(k kept, meant string) (*report.Report, error) {
	id, err := sessionID(k, meant)
	if err != nil {
		return nil, err
	}
	events, err := k.Events(id, 1)
	if err != nil {
		return nil, err
	}
	r, err := report.Build(events)
	if err != nil {
		return nil, fmt.Errorf("session %s cannot be reported: %w; see 'assay verify %s'", id, err, id)
	}
	return r, nil
}

func printReport(io *IO, r *report.Report, dir string, asJSON bool) error {
	if dir != "" {
		files, err := r.WriteDir(dir)
		if err != nil {
			return err
		}
		for _, f := range files {
			fmt.Fprintf(io.Err, "wrote %s\n", f)
		}
	}
	switch {
	case asJSON:
		return r.JSON(io.Out)
	case dir == "":
		return r.Markdown(io.Out)
	}
	return nil
}
