package fleet

import (
	"context"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
)

// right is what a user must be permitted on a server.
type right struct {
	subject string // its beginning
	without string // what is not done without it
	vital   bool   // nothing can be done without it
}

// rights are those of all sides of a fleet, the more special ones first.
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

// denied takes what the server says of a subject that this user may not use. Of what can be
// done without it is said once that it is missing; anything else ends all that uses the
// connection, since it would wait for ever for an answer.
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
		answer := r.subject == nats.InboxPrefix && use == "publish to" // to one who asks who is there
		if r.vital && !answer {
			c.bar(fmt.Errorf("%s: %w: this user may not %s %s, so %s: give it the subjects $JS.>, $O.>, assay.> and _INBOX.>", c.where, ErrRefused, use, kind, r.without))
			return
		}
		c.mending.Lock()
		told := c.told[use+kind]
		c.told[use+kind] = true
		c.mending.Unlock()
		if !told {
			c.say(fmt.Sprintf("%s does not permit this user to %s %s: %s", c.where, use, kind, r.without))
		}
		return
	}
}

// unlessBarred is a context that ends, too, when the server refuses what cannot be done without.
func (c *connection) unlessBarred(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.barred, func() { cancel(context.Cause(c.barred)) })
	return ctx, func() { stop(); cancel(nil) }
}

// refusal is why the server lets nothing be done; nil: it does.
func (c *connection) refusal() error { return context.Cause(c.barred) }
