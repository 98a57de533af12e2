package cli

import (
	"context"

	"assay/tui/plain"
)

// runPlain is runOpen without screens.
func runPlain(ctx context.Context, io *IO, l *library, o *openOptions, changed func(string) bool) error {
	l.mode = plain.Mode
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lines := plain.Lines(ctx, io.In)
	eng, err := l.beginAtOnce(ctx, o, changed)
	if err != nil {
		return err
	}
	if eng == nil {
		sessions, err := l.Sessions(ctx)
		if err != nil {
			return err
		}
		choices, err := l.Choices(ctx)
		if err != nil {
			return err
		}
		chosen, err := plain.Choose(ctx, lines, io.Out, sessions, choices)
		switch {
		case err != nil || chosen == nil:
			return err
		case chosen.Continue != "":
			eng, err = l.Continue(ctx, chosen.Continue)
		default:
			chosen.Begin.Tester = o.tester
			eng, err = l.Begin(ctx, *chosen.Begin)
		}
		if err != nil {
			return err
		}
	}
	work := l.Work()
	return plain.Run(ctx, eng, lines, io.Out, plain.Options{Ticks: work.Ticks, Report: work.Report})
}
