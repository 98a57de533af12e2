package machine

import (
	"context"
	"errors"
	"strings"

	"assay/benchmark/judge"
	"assay/benchmark/sandbox"
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
	says := judge.Result{Enforcement: box.Enforcement()}.EnforcementText()
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

// examineLanguages reports the languages that can be judged here.
func examineLanguages(ctx context.Context) []measure.Finding {
	var list []measure.Finding
	for _, l := range judge.Languages(ctx, "") {
		f := measure.Finding{What: "  " + strings.ToLower(l.Title), OK: true, Says: l.Found, Optional: true}
		if l.Err != nil {
			f.OK, f.Says, f.Fix = false, "not found", l.Install
			if !strings.Contains(l.Err.Error(), "none was found") {
				f.Says = l.Err.Error()
			}
		}
		list = append(list, f)
	}
	return list
}
