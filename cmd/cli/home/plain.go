package home

import (
	"context"

	"assay/cmd/cli/console"
	"assay/cmd/cli/live"
	"assay/tui/frame"
	"assay/tui/plain"
)

// runPlain is open without screens.
func runPlain(ctx context.Context, io *console.IO, l *live.Library, o *options, changed func(string) bool) error {
	l.Mode = plain.Mode
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lines := plain.Lines(ctx, io.In)
	out := io.Out
	if frame.NeedsASCII(io.Getenv) {
		out = frame.ASCIIWriter{To: out}
	}
	eng, err := beginAtOnce(ctx, l, o, changed)
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
		chosen, err := plain.Choose(ctx, lines, out, sessions, choices)
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
	return plain.Run(ctx, eng, lines, out, plain.Options{Ticks: work.Ticks, Report: work.Report, HandIn: work.HandIn, Sessions: work.Sessions})
}
