package machine

import (
	"context"
	"errors"
	"os/exec"
	"strings"

	"assay/benchmark/judge"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/measure"
)

// examineIsolations tries every value of --isolation. Only the default has to work; it is examined
// separately.
func examineIsolations(ctx context.Context, image string) []measure.Finding {
	var list []measure.Finding
	for _, name := range judges.IsolationNames {
		if name == judges.IsolationNone {
			continue
		}
		f := examineIsolation(ctx, judges.Isolation{Isolation: name, Image: image})
		f.What, f.Optional = "  "+name, true
		list = append(list, f)
	}
	return list
}

func examineIsolation(ctx context.Context, o judges.Isolation) measure.Finding {
	if (o.Isolation == judges.IsolationDocker || o.Isolation == judges.IsolationPodman) && o.Image == "" {
		says, err := sandbox.ProbeEngine(ctx, o.Isolation)
		if err != nil {
			return unavailable(err)
		}
		return measure.Finding{Says: says + " works, but no image is named",
			Fix: "for example: " + o.Isolation + " pull python:3.12-slim, then --image python:3.12-slim or " + judges.ImageVariable + "=python:3.12-slim"}
	}
	box, err := judges.OpenBox(ctx, o)
	if err != nil {
		return unavailable(err)
	}
	defer box.Close()
	says := verdicts.Result{Enforcement: box.Enforcement()}.EnforcementText()
	if l, ok := box.(interface{ Lacks() string }); ok {
		says += "; " + l.Lacks()
	}
	return measure.Finding{OK: true, Says: says}
}

// unavailable converts an error that names its remedy to a finding.
func unavailable(err error) measure.Finding {
	var known *sandbox.Unavailable
	if errors.As(err, &known) {
		cause, _, _ := strings.Cut(known.Cause, "\n")
		return measure.Finding{Says: cause, Fix: known.Fix}
	}
	return measure.Finding{Says: err.Error()}
}

// examineLanguages reports the languages that can be judged here, a line each, and together those whose programs
// are missing, with how to get them.
func examineLanguages(ctx context.Context) []measure.Finding {
	var list []measure.Finding
	var missing, hints []string
	for _, l := range judge.Languages(ctx, "") {
		switch {
		case l.Err == nil:
			list = append(list, measure.Finding{What: "  " + strings.ToLower(l.Title), OK: true, Says: l.Found, Optional: true})
		case errors.Is(l.Err, exec.ErrNotFound):
			missing, hints = append(missing, l.Title), append(hints, strings.ToLower(l.Title)+": "+l.Install)
		default:
			list = append(list, measure.Finding{What: "  " + strings.ToLower(l.Title), Says: l.Err.Error(), Fix: l.Install, Optional: true})
		}
	}
	if len(missing) > 0 {
		list = append(list, measure.Finding{What: "  not installed", Says: strings.Join(missing, ", "), Fix: strings.Join(hints, "\n  "+strings.Repeat(" ", 17)), Optional: true})
	}
	return list
}
