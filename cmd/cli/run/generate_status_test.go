package run

import (
	"errors"
	"io"
	"strings"
	"testing"

	"assay/cmd/cli/console"
	"assay/session/generate"
	"assay/session/llm"
)

// TestGenerateStatus: every model whose answers are missing is named with its own reason, and none that has all.
func TestGenerateStatus(t *testing.T) {
	all := generate.ModelSummary{Name: "all", Cells: 2, Stored: 2, Last: &llm.Error{Message: "a retry that helped"}}
	down := generate.ModelSummary{Name: "down", Cells: 2, Err: &llm.Error{Class: llm.NotAModel, Message: "a login page"}}
	refused := generate.ModelSummary{Name: "refused", Cells: 2, Err: &llm.Error{Class: llm.Auth, Message: "no such key"}}
	some := generate.ModelSummary{Name: "some", Cells: 2, Stored: 1, Last: &llm.Error{Class: llm.Filtered, Message: "a filter"}}
	for name, tt := range map[string]struct {
		models []generate.ModelSummary
		err    error
		code   int
		want   []string
	}{
		"complete":    {[]generate.ModelSummary{all}, nil, 0, nil},
		"one down":    {[]generate.ModelSummary{all, down}, nil, console.ExitPartial, []string{"down: a login page", "2 of 4"}},
		"one failed":  {[]generate.ModelSummary{some, all}, nil, console.ExitPartial, []string{"1 request failed for good", "some: a filter", "1 of 4"}},
		"all kinds":   {[]generate.ModelSummary{some, all, down, refused}, nil, console.ExitAuth, []string{"some: a filter", "down: a login page", "refused: no such key", "5 of 8"}},
		"no budget":   {[]generate.ModelSummary{some, {Name: "spent", Cells: 1, Err: generate.ErrBudget}}, generate.ErrBudget, console.ExitPartial, []string{generate.ErrBudget.Error(), "some: a filter"}},
		"interrupted": {[]generate.ModelSummary{{Name: "late", Cells: 3}}, generate.ErrStopped, console.ExitPartial, []string{generate.ErrStopped.Error(), "3 of 3"}},
	} {
		s := generate.Summary{Models: tt.models, Failed: 1}
		for _, m := range tt.models {
			s.Cells, s.Stored = s.Cells+m.Cells, s.Stored+m.Stored
		}
		got := generateStatus(s, tt.err)
		if (got == nil) != (tt.code == 0) || got != nil && (console.Exit(got, io.Discard) != tt.code || !errors.Is(got, tt.err) && tt.err != nil) {
			t.Errorf("%s: %v", name, got)
			continue
		}
		for _, want := range append(tt.want, "") {
			if got != nil && (!strings.Contains(got.Error(), want) || strings.Contains(got.Error(), "spent") || strings.Contains(got.Error(), all.Last.Message)) {
				t.Errorf("%s: %v, want %s", name, got, want)
			}
		}
	}
}
