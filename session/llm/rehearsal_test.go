package llm

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assay/data/fatal"
)

const recorded = "Here it is:\n\n```python\ndef f():\n    return 1\n```\n"

// recordings plays one answer to the task "t", which names the attempt.
func recordings(env string) Deps {
	return Deps{
		Recorded: func(task string, attempt int) (string, bool) {
			return recorded + strings.Repeat("!", attempt), task == "t"
		},
		Getenv: func(name string) string { return map[string]string{PaceVariable: env}[name] },
		Random: func() float64 { return 0.5 },
	}
}

func rehearse(t *testing.T, m Model, deps Deps) Client {
	t.Helper()
	m.Name, m.Provider = "rehearsal", ProviderRehearsal
	client, err := m.Client(deps)
	fatal.If(t, err)
	return client
}

func TestRehearsalPlaysTheRecordingOfTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var deltas []string
		answer, err := rehearse(t, Model{}, recordings("")).Stream(t.Context(), Request{Task: "t", Attempt: 2}, func(s string) { deltas = append(deltas, s) })
		fatal.If(t, err)
		if answer.Text != recorded+"!!" || strings.Join(deltas, "") != answer.Text {
			t.Errorf("got %q in %q", answer.Text, deltas)
		}
		if answer.FinishReason != "stop" || answer.Model != "rehearsal (recorded)" || answer.OutputTokens != len(deltas) || len(deltas) != 10 {
			t.Errorf("got %+v in %d deltas", answer, len(deltas))
		}
	})
}

func TestRehearsalPace(t *testing.T) {
	quick := 180.0
	rows := []struct {
		name string
		env  string
		pace *float64
		want time.Duration // the first of 10 tokens takes the time of ten
	}{
		{"60 tokens a second", "", nil, 19 * time.Second / 60},
		{"of the model", "", &quick, 19 * time.Second / 180},
		{"of the environment, before the model's", "19", &quick, time.Second},
		{"none", "0", nil, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				if _, err := rehearse(t, Model{Pace: row.pace}, recordings(row.env)).Stream(t.Context(), Request{Task: "t", Attempt: 1}, nil); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took.Round(time.Millisecond) != row.want.Round(time.Millisecond) {
					t.Errorf("took %v, want %v", took, row.want)
				}
			})
		})
	}
	for _, bad := range []string{"fast", "-1", "NaN"} {
		if _, err := (Model{Name: "r", Provider: ProviderRehearsal}).Client(recordings(bad)); err == nil {
			t.Errorf("a pace of %q was accepted", bad)
		}
	}
}

func TestRehearsalStopsAtOnce(t *testing.T) {
	for _, pace := range []string{"", "0"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			deltas := 0
			start := time.Now()
			_, err := rehearse(t, Model{}, recordings(pace)).Stream(ctx, Request{Task: "t", Attempt: 1}, func(string) {
				deltas++
				if deltas == 3 {
					cancel()
					start = time.Now()
				}
			})
			if !errors.Is(err, context.Canceled) || deltas != 3 || time.Since(start) != 0 {
				t.Errorf("got %v after %d deltas, %v late", err, deltas, time.Since(start))
			}
		})
	}
}

func TestRehearsalOfAnUnknownTask(t *testing.T) {
	_, err := rehearse(t, Model{}, recordings("")).Stream(t.Context(), Request{Task: "x"}, nil)
	var failed *Error
	if !errors.As(err, &failed) || failed.Class != NoAnswer || !strings.Contains(err.Error(), `"x"`) || failed.Advice == "" {
		t.Errorf("got %v", err)
	}
}

func TestTokensJoinToTheText(t *testing.T) {
	for _, text := range []string{"", " ", "a", " a\n\nb  c ", "é ü\u00a0x", "\xff a"} {
		if got := strings.Join(tokenise(text), ""); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
