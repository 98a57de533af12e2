package fleet

import (
	"crypto/rand"
	"time"
)

// gather adds a sample to the next message for its needs. A message is sent when it is full, or a moment
// after its first sample.
func (c *Client) gather(p place, s sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gatherLocked(p, s)
}

// gatherLocked is gather for a caller that holds the lock.
func (c *Client) gatherLocked(p place, s sample) {
	size := len(s.Code) + 200
	a := c.waiting[s.ID]
	if a == nil {
		return // forgotten meanwhile
	}
	key := gatherKey{p.need, p.set.hash}
	b := c.gathering[key]
	if b != nil && b.bytes+size > c.room() {
		c.closeBatch(b)
		b = nil
	}
	if b == nil {
		b = &batch{name: rand.Text(), key: key, set: p.set, samples: map[string]sample{}}
		c.gathering[key] = b
		c.linger(b, 1)
	}
	b.samples[s.ID], a.batch, a.place, a.sample = s, b, p, s
	if b.bytes += size; len(b.samples) >= c.o.Batch {
		c.closeBatch(b)
	}
}

// How long a message waits for more samples.
const (
	enough      = 20 // samples in a message that waits no longer
	longestWait = 20 // times Linger, if the workers have enough to do
)

// linger sends a message after a moment. While workers have at least half of all samples allowed in flight
// it waits longer, since nobody waits for this message then.
func (c *Client) linger(b *batch, times int) {
	time.AfterFunc(c.settings.Linger, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		busy := len(c.waiting)-len(b.samples) >= c.o.Window/2
		if busy && len(b.samples) < enough && times < longestWait && !b.closed {
			c.linger(b, times+1)
			return
		}
		c.closeBatch(b)
	})
}

// room returns the largest number of bytes of code in a message: JSON may encode a byte as six.
func (c *Client) room() int { return int(min(c.nc.MaxPayload(), 4<<20)) / 2 }

// closeBatch sends a message. The caller holds the lock.
func (c *Client) closeBatch(b *batch) {
	if b.closed {
		return
	}
	b.closed = true
	if c.gathering[b.key] == b {
		delete(c.gathering, b.key)
	}
	if len(b.samples) == 0 || c.ctx.Err() != nil {
		return
	}
	b.sent = time.Now()
	b.look = b.sent.Add(time.Hour) // not before it has been sent
	c.sent[b.name], b.sending = b, true
	c.tasks.Go(func() { c.send(b) })
}
