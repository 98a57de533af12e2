package study

import (
	"fmt"
	"maps"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/report"
	"assay/session"
	"assay/session/report/sessions"
	"assay/session/simulate"
)

// newSimulate returns `assay study simulate`.
func newSimulate(io *console.IO, g *console.Globals) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "simulate [FILE]",
		Example: "  assay study simulate study.toml --out simulated",
		Short:   "Simulate a whole study, to see its report before there are data",
		Long: `Simulate the sessions of all testers of a study and write their report, which shows its
tables, their cells and the run time before anybody has worked. Nothing is stored, no model
is asked and no code runs. The numbers are random, from the design's seed, and say nothing
about any model.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, b, err := studyArg(cmd, args)
			if err != nil {
				return err
			}
			hash, err := frozenHash(io, g, s, b)
			if err != nil {
				return err
			}
			texts := map[session.Ref][]byte{}
			builder := sessions.NewBuilder(sessions.Options{
				Title: "Simulated, no data: " + s.Name,
				Texts: func(ref session.Ref) ([]byte, error) { return texts[ref], nil },
			})
			n := 0
			for _, a := range s.Assignments(hash) {
				for part := range a.Sessions {
					arm := s.Arms[a.Sessions[part].Arm]
					models, err := arm.Models(func(name string) (session.Model, error) { return session.Model{Name: name, Provider: "simulated"}, nil })
					if err != nil {
						return err
					}
					plan, _, err := s.Plan(b, hash, a.Tester, part+1, fmt.Sprintf("simulated-%d", a.Tester), models...)
					if err != nil {
						return err
					}
					n++
					events, made, err := simulate.Session{
						ID: fmt.Sprintf("SIM%023d", n), Plan: plan, Seed: s.Design.Seed<<20 + uint64(n), Wall: 86_400_000 * int64(n),
					}.Log()
					if err != nil {
						return err
					}
					maps.Copy(texts, made)
					if err := builder.Add(events); err != nil {
						return err
					}
				}
			}
			r, err := builder.Report()
			if err != nil {
				return err
			}
			return report.Print(io, g, r, report.Flags{Dir: dir})
		},
	}
	cmd.Flags().StringVar(&dir, "out", "", "write the report into this `directory`; without it, it is printed")
	return cmd
}
