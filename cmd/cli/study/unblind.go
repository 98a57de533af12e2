package study

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/stores"
	"assay/session/study"
	"assay/store"
)

// newUnblind returns `assay study unblind`.
func newUnblind(io *console.IO, g *console.Globals) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:     "unblind [FILE]",
		Example: "  assay study unblind study.toml --reason 'all sessions are finished'",
		Short:   "Reveal which models a blind study compares, and record that",
		Long: `Print the model behind each name that testers of a blind study see. From then on, reports on
its sessions in this store name the models.

The date, the reason and the number of finished sessions are recorded in the store for good;
'assay study watch' shows them. Without --reason nothing is printed.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, b, err := studyArg(cmd, args)
			if err != nil {
				return err
			}
			lock, err := s.Frozen(b, NamedModel(io, g))
			if err != nil {
				return fmt.Errorf("only a frozen study that has not changed can be unblinded: %w", err)
			}
			if !s.Blind() {
				return fmt.Errorf("%s is not blind: its testers see the models' names", s.Name)
			}
			if strings.TrimSpace(reason) == "" {
				return console.Usagef("give the reason in a few words: --reason \"all sessions are finished\"; it is recorded")
			}
			kept, err := stores.Open(io, g)
			if err != nil {
				return err
			}
			record := study.Unblinding{At: time.Now().UTC().Truncate(time.Second), Study: s.Name, Hash: lock.Hash, Reason: reason, Planned: s.Design.Testers * len(s.Assign(1)), Arms: lock.Arms}
			err = func() error {
				rows, err := kept.Sessions()
				if err != nil {
					return err
				}
				for _, row := range rows {
					if row.Study == nil || row.Study.Hash != lock.Hash {
						continue
					}
					if record.Sessions++; row.Status == store.StatusFinished {
						record.Finished++
					}
				}
				return kept.Unblind(record)
			}()
			if err = errors.Join(err, kept.Close()); err != nil {
				return err
			}
			w := console.NewTable(io.Out)
			fmt.Fprintln(w, "shown\tarm\tmodel\tprovider\tmodel id")
			for i, a := range s.Arms {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", a.Shown, a.Name, lock.Arms[i].Model, lock.Arms[i].Provider, lock.Arms[i].ModelID)
				if m := lock.Arms[i].Against; m.Model != "" {
					fmt.Fprintf(w, "\tbeside it\t%s\t%s\t%s\n", m.Model, m.Provider, m.ModelID)
				}
			}
			fmt.Fprintf(io.Err, "recorded: %s\n", record.Words())
			if left := record.Planned - record.Finished; left > 0 {
				fmt.Fprintf(io.Err, "warning: %s of the plan are not finished; who still works may now learn the models\n", console.Counted(left, "session", "sessions"))
			}
			return w.Flush()
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, in a few `words`")
	return cmd
}
