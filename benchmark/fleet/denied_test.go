package fleet

import (
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/jwt/v2"

	"assay/benchmark/verdicts"
	"assay/data/fatal"
)

// A worker without a permission that it needs ends with that error, whenever it is detected; without a
// permission that others can do without, it reports that once, and works.
func TestWorkerThatIsDenied(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, ends, says string
		change           func(*jwt.UserClaims)
	}{
		{"to store results", "may not publish to assay.result.>, so results cannot be stored", "", func(c *jwt.UserClaims) { c.Pub.Deny.Add("assay.result.>") }},
		{"to acknowledge", "may not publish to $JS.ACK.>", "", func(c *jwt.UserClaims) { c.Pub.Deny.Add("$JS.ACK.>") }},
		{"to fetch", "may not publish to $JS.API.CONSUMER.>, so work and results cannot be fetched", "", func(c *jwt.UserClaims) { c.Pub.Deny.Add("$JS.API.CONSUMER.>") }},
		{"the next message", "may not publish to $JS.API.CONSUMER.>", "", func(c *jwt.UserClaims) { c.Pub.Deny.Add("$JS.API.CONSUMER.MSG.NEXT.>") }},
		{"to read tasks", "may not publish to $JS.API.>", "", func(c *jwt.UserClaims) { c.Pub.Deny.Add("$JS.API.STREAM.MSG.GET.>", "$JS.API.DIRECT.GET.>") }},
		{"the bell", "", "subscribe to assay.fleet.bell.>: workers are not notified", func(c *jwt.UserClaims) { c.Sub.Deny.Add("assay.fleet.bell.>") }},
		{"to hear who asks", "", "subscribe to assay.fleet.who: coordinators cannot list", func(c *jwt.UserClaims) { c.Sub.Deny.Add("assay.fleet.who") }},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			o := newOperator(t)
			account, _ := o.account("judging", true)
			s := o.serve()
			denied, _ := o.user(account, x.change)
			right, _ := o.user(account, nil)
			tasks := fakeTasks(1)
			c := startClient(t, Link{URL: s.ClientURL(), Creds: right, Settings: quick()}, tasks, nil)
			said := make(chan string, 100)
			w, err := NewWorker(t.Context(), WorkerOptions{Link: Link{URL: s.ClientURL(), Creds: denied, Settings: quick(), Say: func(text string) { said <- text }},
				Card: pythonCard("w"), Judge: &fake{workers: 1}})
			fatal.If(t, err)
			ended := make(chan error, 1)
			if x.ends == "" {
				go func() { ended <- w.Run(t.Context()) }()
				submit(t, c, tasks, 5, "")
				if text := <-said; !strings.Contains(text, x.says) || len(said) > 0 {
					t.Errorf("it says %s, and %d more", text, len(said))
				}
				return
			}
			go func() { _, _ = c.Judge(t.Context(), verdicts.Submission{Task: &tasks[0], Code: "x", Name: "a"}) }()
			go func() { ended <- w.Run(t.Context()) }()
			if err := <-ended; !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), x.ends) || !strings.Contains(err.Error(), "give it the subjects") {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}

// A coordinator that may not publish work or read results reports that and ends.
func TestCoordinatorThatIsDenied(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, ends string
		change     func(*jwt.UserClaims)
	}{
		{"to send work", "may not publish to assay.work.>, so samples cannot be put into the queue", func(c *jwt.UserClaims) { c.Pub.Deny.Add("assay.work.>") }},
		{"to bring tasks", "may not publish to $O.>", func(c *jwt.UserClaims) { c.Pub.Deny.Add("$O.>") }},
		{"to read results", "may not publish to $JS.API.CONSUMER.>", func(c *jwt.UserClaims) { c.Pub.Deny.Add("$JS.API.CONSUMER.>") }},
		{"to take back", "may not publish to $JS.API.>", func(c *jwt.UserClaims) { c.Pub.Deny.Add("$JS.API.STREAM.PURGE.>") }},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			o := newOperator(t)
			account, _ := o.account("judging", true)
			s := o.serve()
			denied, _ := o.user(account, x.change)
			right, _ := o.user(account, nil)
			tasks := fakeTasks(1)
			startWorker(t, Link{URL: s.ClientURL(), Creds: right, Settings: quick()}, WorkerOptions{Judge: &fake{workers: 1}})
			c, err := NewClient(t.Context(), ClientOptions{Link: Link{URL: s.ClientURL(), Creds: denied, Settings: quick()}, Version: "1.0", Isolation: "bwrap", Tasks: tasks})
			if err == nil {
				defer c.Close()
				_, err = c.Judge(t.Context(), verdicts.Submission{Task: &tasks[0], Code: "x", Name: "a"})
			}
			if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), x.ends) {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}
