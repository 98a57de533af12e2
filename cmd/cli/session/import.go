package session

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/data/disk"
	"assay/session"
	"assay/session/importer"
	"assay/session/inspectlog"
	"assay/store"
)

// importOptions are the flags of `assay session import`.
type importOptions struct {
	tasks, attempts, ratings string
	inspect                  string
	how                      inspectlog.How
	as                       importer.As
	again                    bool
	asJSON                   bool
}

// newImport returns `assay session import`.
func newImport(io *console.IO, g *console.Globals) *cobra.Command {
	o, k := &importOptions{}, 0
	cmd := &cobra.Command{
		Use:     "import --tasks FILE --attempts FILE --ratings FILE | import --inspect LOG",
		Example: "  assay session import --tasks tasks.csv --attempts attempts.csv --ratings ratings.csv --name pilot\n  assay session import --inspect session.json --tester ann",
		Short:   "Import another study's tables, or a log of Inspect, as a session",
		Long: `Bring the tables of another study in as one finished session, which can be
reported and exported like any other. The three files are CSV with a header:

  tasks     task_id, attempts, satisfied, time_s
            and, if there, test_set, order, type, difficulty, title, censored
  attempts  task_id, attempt, duration_s, satisfied
  ratings   task_id and a column for each attribute; and total, if there

Durations are those of whole attempts: what part of them was waiting for the
model is not known, and the wall times of the session are made up from them.
The tables are checked against each other first; nothing is kept of a study
that does not add up.

With --inspect, bring in one epoch of a log of Inspect in its JSON form, also one
that 'assay session export --inspect' wrote. A sample is a task; what its user said is
a prompt, and what the model said last before the user spoke again is the answer. The
final answer satisfied if the score "satisfied" or, if there is one score alone, that
score is correct. Times of single attempts, verdicts and ratings are in assay's own
logs; in others, the attempts of a sample share its time equally.`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("k") || o.inspect == "" {
				o.how.K = k
			}
			for _, flag := range []string{"tasks", "attempts", "ratings"} {
				if f := cmd.Flags().Lookup(flag); f.Value.String() == "" && o.inspect == "" {
					return console.Usagef("--%s is missing: assay session import needs the three tables of tasks, attempts and ratings, or --inspect LOG", flag)
				}
			}
			return runImport(cmd, io, g, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "`file` with one row for each task")
	f.StringVar(&o.attempts, "attempts", "", "`file` with one row for each attempt")
	f.StringVar(&o.ratings, "ratings", "", "`file` with one row for each rated task")
	f.StringVar(&o.inspect, "inspect", "", "log of Inspect (JSON) in this `file`, instead of tables")
	f.IntVar(&o.how.Epoch, "epoch", 1, "`epoch` of the log of Inspect")
	console.Bounds(f, "epoch", 1, 1e6)
	f.StringVar(&o.how.Scorer, "scorer", "", "`name` of the log's scorer that tells whether the answer satisfied")
	f.StringVar(&o.as.Benchmark, "name", "", "`name` of the study (default: the name of the file of tasks, or the log's)")
	f.StringVar(&o.as.Model, "model", "", "`name` of the model that answered (default: as the log says, or else \"unknown\")")
	f.StringVar(&o.as.Tester, "tester", "", "pseudonym of the tester")
	f.IntVar(&k, "k", session.DefaultK, "attempts allowed for each task; of a log that has its own number, that one")
	console.Bounds(f, "k", 1, console.MostAttempts)
	f.BoolVar(&o.again, "again", false, "import once more what the store has already")
	console.JSONFlag(f, &o.asJSON, "print what was imported as JSON", imported{})
	for _, flag := range []string{"tasks", "attempts", "ratings"} {
		cmd.MarkFlagsMutuallyExclusive("inspect", flag)
	}
	return cmd
}

func runImport(cmd *cobra.Command, io *console.IO, g *console.Globals, o *importOptions) error {
	study, as, err := o.read()
	if err != nil {
		return fmt.Errorf("nothing was imported: %w", err)
	}
	as.Session, as.Assay, as.Now = ulid.Make().String(), console.Version(), time.Now().UnixMilli()
	events, texts := study.Events(as)
	if _, err := session.Replay(events); err != nil {
		return fmt.Errorf("nothing was imported: the files do not make a session: %w", err)
	}
	s, err := stores.Open(io, g)
	if err != nil {
		return err
	}
	if !o.again {
		if err := notImported(s, events); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	_, err = s.Append(cmd.Context(), as.Session, events, texts)
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	for _, w := range study.Warnings {
		fmt.Fprintf(io.Err, "warning: %s\n", w)
	}
	if o.asJSON {
		warnings := append([]string{}, study.Warnings...)
		return console.WriteJSON(io, imported{as.Session, len(events), warnings})
	}
	fmt.Fprintf(io.Out, "%s\n", as.Session)
	fmt.Fprintf(io.Err, "imported %d events; 'assay report %s' reports them\n", len(events), as.Session)
	return nil
}

// imported is a session that was made from other files.
type imported struct {
	Session  string   `json:"session"`  // its id
	Events   int      `json:"events"`   // in its log
	Warnings []string `json:"warnings"` // what the files leave open
}

// notImported fails if the store has an imported session of the same content, tester and model, which would count
// twice in a report of all sessions.
func notImported(s *store.Store, fresh []session.Event) error {
	rows, err := s.Sessions()
	if err != nil {
		return err
	}
	content := func(events []session.Event) (string, error) {
		var all strings.Builder
		for _, e := range events {
			text, err := json.Marshal(e.Payload)
			if err != nil {
				return "", err
			}
			if opened, ok := e.Payload.(session.Opened); ok {
				if text, err = json.Marshal(opened.Plan); err != nil {
					return "", err
				}
			}
			all.Write(text)
		}
		return all.String(), nil
	}
	want, err := content(fresh)
	if err != nil {
		return err
	}
	opened, _ := fresh[0].Payload.(session.Opened)
	for _, row := range rows {
		if !row.Imported || row.Benchmark != opened.Plan.Benchmark || row.Tester != opened.Plan.Tester || row.LastSeq != uint64(len(fresh)) {
			continue // without its log being read
		}
		events, err := s.Events(row.ID, 1)
		if err != nil {
			return err
		}
		if has, err := content(events); err != nil {
			return err
		} else if has == want {
			return fmt.Errorf("nothing was imported: session %s has the same content, tester and model already; --again imports them once more", row.ID)
		}
	}
	return nil
}

// read reads the tables or the log, and names what the flags do not name.
func (o *importOptions) read() (*importer.Study, importer.As, error) {
	as := o.as
	if o.inspect != "" {
		log, err := inspectlog.Read(o.inspect, o.how)
		if err != nil {
			return nil, as, err
		}
		as.Benchmark, as.Model = cmp.Or(as.Benchmark, log.Task, "inspect"), cmp.Or(as.Model, log.Model, "unknown")
		return &log.Study, as, nil
	}
	base := filepath.Base(o.tasks)
	as.Benchmark, as.Model = cmp.Or(as.Benchmark, strings.TrimSuffix(base, filepath.Ext(base))), cmp.Or(as.Model, "unknown")
	study, err := o.readTables()
	return study, as, err
}

func (o *importOptions) readTables() (*importer.Study, error) {
	var sources [3]importer.Source
	for i, name := range []string{o.tasks, o.attempts, o.ratings} {
		f, err := disk.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		sources[i] = importer.Source{Name: name, R: f}
	}
	return importer.Read(importer.Tables{Tasks: sources[0], Attempts: sources[1], Ratings: sources[2]}, o.how.K)
}
