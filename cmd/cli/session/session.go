package session

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/data/program"
	"assay/store"
	"assay/tui/frame"
)

// New returns `assay session`.
func New(io *console.IO, g *console.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "List, show, replay, export, check and restore sessions",
		Long: `What testers did, as the store has it. SESSION is an id, the beginning of one, or "last".

Beside the store lie copies of it: a snapshot, which follows it by seconds, a backup of each
of the last five days on which it was used, and one of each migration.

  copies   list the copies, with how many sessions are whole in each
  restore  put one of them in the store's place
  salvage  read whatever the pages of a damaged store and its copies still hold`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSessionList(io, g), newSessionShow(io, g), newReplay(io, g), newExport(io, g), newImport(io, g), newVerify(io, g), newRebuild(io, g),
		newSessionCopies(io, g), newSessionRestore(io, g), newSessionSalvage(io, g))
	return cmd
}

// copyRow is the JSON form of a copy.
type copyRow struct {
	File     string    `json:"file"`
	Taken    time.Time `json:"taken"`
	Sessions int       `json:"sessions"`
	Whole    int       `json:"whole"`
	Problem  string    `json:"problem,omitempty"`
}

func newSessionCopies(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "copies",
		Short: "List the copies of the store, newest first",
		Long: `List the copies of the store, newest first, with the number of sessions in each and of those
that are whole: their hash chains hold, and all their texts are there.`,
		Example: "  assay session copies",
		Args:    console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			rows := []copyRow{}
			for _, c := range store.Copies(stores.Path(io, g)) {
				row := copyRow{File: c.Path, Taken: c.Taken, Sessions: c.Sessions, Whole: c.Whole}
				if c.Err != nil {
					row.Problem = c.Err.Error()
				}
				rows = append(rows, row)
			}
			if asJSON {
				return console.WriteJSON(io, rows)
			}
			if len(rows) == 0 {
				_, err := fmt.Fprintf(io.Out, "there are no copies of %s\n", stores.Path(io, g))
				return err
			}
			w := console.NewTable(io.Out)
			fmt.Fprintln(w, "taken\twhole\tof\tfile")
			for _, row := range rows {
				if row.Problem != "" {
					fmt.Fprintf(w, "%s\t-\t-\t%s\n", when(row.Taken), row.Problem)
					continue
				}
				fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", when(row.Taken), row.Whole, row.Sessions, row.File)
			}
			return w.Flush()
		},
	}
	console.JSONFlag(cmd.Flags(), &asJSON, "print the list as JSON", []copyRow{})
	return cmd
}

func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

func newSessionRestore(io *console.IO, g *console.Globals) *cobra.Command {
	return &cobra.Command{
		Use:   "restore [FILE]",
		Short: "Put a copy of the store in its place",
		Long: `Put FILE, a copy of the store, in the store's place; without FILE the newest copy in which
every session is whole. What was there is kept beside it under another name. What came
after the copy was taken is not in it: 'assay session salvage' also reads the damaged
store itself.`,
		Example: "  assay session restore\n  assay session restore ~/.local/share/assay/assay.db.backup-20261120-181502.000",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usagef("assay session restore takes one file, or none; see 'assay session restore --help'")
			}
			path := stores.Path(io, g)
			from := ""
			if len(args) == 1 {
				from = args[0]
			} else if from = newestWhole(path); from == "" {
				return fmt.Errorf("%s has no copy in which every session is whole; 'assay session copies' lists them, 'assay session salvage' combines them", path)
			}
			aside, err := store.Restore(path, from, store.Options{Version: console.Version()})
			if err != nil {
				return fmt.Errorf("%s cannot be restored from %s: %w", path, from, err)
			}
			fmt.Fprintf(io.Out, "%s restored from %s\n", path, from)
			if aside != "" {
				fmt.Fprintf(io.Out, "the previous store is kept as %s\n", aside)
			}
			return nil
		},
	}
}

// newestWhole returns the newest copy whose sessions are all complete, "" if there is none.
func newestWhole(path string) string {
	for _, c := range store.Copies(path) {
		if c.Err == nil && c.Sessions > 0 && c.Whole == c.Sessions {
			return c.Path
		}
	}
	return ""
}

// salvageRow is the JSON form of a salvaged session.
type salvageRow struct {
	Session string `json:"session"`
	Whole   bool   `json:"whole"`
	Events  int    `json:"events"`
	Of      int    `json:"of"` // least number that it had
	Texts   int    `json:"texts"`
	Lost    int    `json:"lost_texts"`
	Sure    bool   `json:"end_known"`
}

func newSessionSalvage(io *console.IO, g *console.Globals) *cobra.Command {
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "salvage [FILE...]",
		Short: "Recover what is readable of a damaged store into a new store",
		Long: `Read every page of the store and its copies, or of each FILE, and write a new store with
all events and texts that prove by their hashes that they are unaltered. No file that is
read is changed. For each session is printed whether it is whole; a session that lost its
end is kept up to there, and 'assay session verify' goes on saying so.

Exit code 0: every session is whole, 3: something is lost, or may be.`,
		Example: "  assay session salvage\n  assay session salvage --out /mnt/usb/assay.db damaged.db\n  assay session restore ~/.local/share/assay/assay.db.salvaged-20261123-101502.000",
		RunE: func(cmd *cobra.Command, args []string) error {
			path := stores.Path(io, g)
			if len(args) == 0 {
				args = store.Sources(path)
			}
			if len(args) == 0 {
				return fmt.Errorf("there is no store at %s, nor a copy of one: name the damaged file", path)
			}
			to := out
			if to == "" {
				to = fmt.Sprintf("%s.salvaged-%s", path, time.Now().UTC().Format("20060102-150405.000"))
			}
			found, err := store.Salvage(cmd.Context(), args, to, store.Options{Version: console.Version()})
			if errors.Is(err, os.ErrExist) {
				return fmt.Errorf("%w: name a new file with --out", err)
			}
			if err != nil {
				return err
			}
			return printSalvaged(io, found, to, asJSON)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write the new store to this `file` (default: beside the store)")
	console.JSONFlag(cmd.Flags(), &asJSON, "print what was found as JSON", salvaged{})
	return cmd
}

// salvaged is what was found in a damaged store.
type salvaged struct {
	File     string       `json:"file"` // the new store
	Sessions []salvageRow `json:"sessions"`
	Strays   int          `json:"stray_events"` // events whose session is not known
	Trouble  string       `json:"trouble"`      // why more may be lost than is known; "": nothing more is
}

func printSalvaged(io *console.IO, found store.Salvaged, to string, asJSON bool) error {
	if asJSON {
		rows := []salvageRow{}
		for _, s := range found.Sessions {
			rows = append(rows, salvageRow{s.ID, s.Whole(), s.Events, s.Of, s.Texts, s.Lost, s.Sure})
		}
		err := console.WriteJSON(io, salvaged{to, rows, found.Strays, found.Trouble})
		if err != nil {
			return err
		}
	} else {
		for _, s := range found.Sessions {
			mark := "✗"
			if s.Whole() {
				mark = "✓"
			}
			fmt.Fprintf(io.Out, "%s %s  %s\n", mark, s.ID, salvageWords(s))
		}
		if found.Strays > 0 {
			fmt.Fprintf(io.Out, "%s left out: the events before them are lost\n", frame.Count(found.Strays, "event"))
		}
		fmt.Fprintf(io.Out, "written to %s; 'assay session restore %s' replaces the store with it\n", to, program.Word(to))
	}
	if whole := found.Whole(); whole < len(found.Sessions) || found.Trouble != "" {
		err := fmt.Errorf("%d of %d sessions are verified whole", whole, len(found.Sessions))
		if found.Trouble != "" {
			err = fmt.Errorf("%w: %s", err, found.Trouble)
		}
		return console.WithCode(console.ExitPartial, err)
	}
	return nil
}

// salvageWords describes how much of a session was found.
func salvageWords(s store.SalvagedSession) string {
	words := []string{fmt.Sprintf("%s, %s", frame.Count(s.Events, "event"), frame.Count(s.Texts, "text"))}
	if s.Events < s.Of {
		words[0] = fmt.Sprintf("the first %d of at least %d events, %s", s.Events, s.Of, frame.Count(s.Texts, "text"))
	} else if !s.Sure {
		words = append(words, "it is not known whether more followed")
	}
	if s.Lost > 0 {
		words = append(words, fmt.Sprintf("%s lost", frame.Count(s.Lost, "text")))
	}
	return strings.Join(words, "; ")
}
