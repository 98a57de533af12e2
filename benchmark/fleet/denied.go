package fleet

import (
	"context"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
)

// right is a permission that a user needs on a server.
type right struct {
	subject string // prefix of the subjects
	without string // the consequence of lacking it
	vital   bool   // nothing works without it
}

// rights lists the permissions for all roles in a fleet, the more specific first.
func rights() []right {
	return []right{
		{resultSubject, "results cannot be stored", true},
		{workSubject, "samples cannot be put into the queue", true},
		{bellSubject, "workers are not notified of work, and find it only when they poll", false},
		{whoSubject, "coordinators cannot list the workers", false},
		{"$JS.ACK.", "finished work cannot be removed from the queue", true},
		{"$JS.API.CONSUMER.", "work and results cannot be fetched", true},
		{"$JS.API.", "the streams cannot be used", true},
		{"$O.", "tasks cannot be stored or fetched", true},
		{nats.InboxPrefix, "no replies arrive", true},
	}
}

// denied handles a permission violation reported by the server. It reports a missing permission once if the
// connection works without it; otherwise it ends everything that uses the connection, which would wait
// forever for an answer.
func (c *connection) denied(violation error) {
	before, subject, _ := strings.Cut(violation.Error(), `"`)
	use := "subscribe to"
	if strings.HasSuffix(before, "Publish to ") {
		use = "publish to"
	}
	for _, r := range rights() {
		if !strings.HasPrefix(subject, r.subject) {
			continue
		}
		kind := strings.TrimSuffix(r.subject, ".") + ".>"
		if r.subject == whoSubject {
			kind = r.subject
		}
		// a reply to a coordinator that looks for workers
		answer := r.subject == nats.InboxPrefix && use == "publish to"
		if r.vital && !answer {
			c.bar(fmt.Errorf("%s: %w: this user may not %s %s, so %s: give it the subjects $JS.>, $O.>, assay.> and _INBOX.>", c.where, ErrRefused, use, kind, r.without))
			return
		}
		c.mending.Lock()
		reported := c.reported[use+kind]
		c.reported[use+kind] = true
		c.mending.Unlock()
		if !reported {
			c.say(fmt.Sprintf("%s does not permit this user to %s %s: %s", c.where, use, kind, r.without))
		}
		return
	}
}

// unlessBarred returns a context that also ends when the server denies something vital.
func (c *connection) unlessBarred(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.barred, func() { cancel(context.Cause(c.barred)) })
	return ctx, func() { stop(); cancel(nil) }
}

// refusal returns the reason why the server denies something vital; nil if it does not.
func (c *connection) refusal() error { return context.Cause(c.barred) }
