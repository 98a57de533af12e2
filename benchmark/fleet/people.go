package fleet

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"assay/benchmark"
	"assay/benchmark/judge"
)

// people are the workers that a coordinator has heard of.
type people struct {
	c     *connection
	mine  Card
	inbox *nats.Subscription

	mu       sync.Mutex
	cards    map[string]heard
	reported map[string]time.Time // messages with the time they were reported
}

type heard struct {
	card Card
	at   time.Time
}

func newPeople(c *connection) *people {
	return &people{c: c, cards: map[string]heard{}, reported: map[string]time.Time{}}
}

// Times for looking for workers.
const (
	silentAfter = 10 * time.Second // a worker that has not answered for this long does not count any more
	sayAgain    = time.Minute
)

// listen starts looking for workers.
func (p *people) listen(mine Card) error {
	p.mine = mine
	var err error
	p.inbox, err = p.c.nc.Subscribe(p.c.nc.NewInbox(), func(m *nats.Msg) {
		card, err := decodeCard(m.Data)
		if err != nil {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if _, known := p.cards[card.Name]; known || len(p.cards) < maxCards {
			p.cards[card.Name] = heard{card, time.Now()}
		}
	})
	if err != nil {
		return err
	}
	return p.ask()
}

func (p *people) ask() error {
	return p.c.nc.PublishRequest(whoSubject, p.inbox.Subject, encode(p.mine))
}

func (p *people) close() {
	if p.inbox != nil {
		_ = p.inbox.Unsubscribe()
	}
}

// list returns the workers that are there now, sorted by name.
func (p *people) list() []Card {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []Card
	for name, h := range p.cards {
		if time.Since(h.at) > silentAfter {
			delete(p.cards, name)
			continue
		}
		list = append(list, h.card)
	}
	slices.SortFunc(list, func(a, b Card) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// sayOnce reports a message, but not too often.
func (p *people) sayOnce(message string) {
	p.mu.Lock()
	again := time.Since(p.reported[message]) < sayAgain
	if !again {
		p.reported[message] = time.Now()
	}
	p.mu.Unlock()
	if !again {
		p.c.say(message)
	}
}

// lookAround looks for workers, and reports work that no worker takes.
func (c *Client) lookAround() {
	for wait(c.ctx, c.settings.Ask) == nil {
		if !c.nc.IsConnected() || c.people.ask() != nil {
			continue // the lost connection has been reported
		}
		present := c.people.list()
		taken := func(n need) bool {
			return slices.ContainsFunc(present, func(card Card) bool { return card.has(n) })
		}
		for n, samples := range c.unattended(c.settings.Patient) {
			if !taken(n) {
				c.people.sayOnce(c.missing(n, samples, present))
			}
		}
		if c.o.Ready != nil {
			c.giveUpWaiting(taken)
		}
	}
}

// giveUpWaiting gives up samples that no worker takes and that this machine has a reason not to judge,
// since they would wait forever. A worker that arrives later gets the samples requested from then on.
func (c *Client) giveUpWaiting(taken func(need) bool) {
	due := c.unattended(c.settings.GiveUp)
	tasks := map[string]*benchmark.Task{}
	c.mu.Lock()
	for n := range due {
		if !taken(n) {
			c.abandoned[n] = true
		}
	}
	for n := range c.abandoned {
		if taken(n) {
			delete(c.abandoned, n)
		}
	}
	for id, a := range c.waiting {
		if a.batch != nil && c.abandoned[a.batch.key.need] {
			tasks[id] = a.task
		}
	}
	c.mu.Unlock()
	for id, task := range tasks {
		if reason := c.o.Ready(task); reason != nil {
			c.resolve(id, judge.NotReady(task, reason))
		}
	}
}

// givenUp returns why a sample is not judged because no worker meets its needs.
func (c *Client) givenUp(n need, task *benchmark.Task) error {
	c.mu.Lock()
	abandoned := c.abandoned[n]
	c.mu.Unlock()
	if !abandoned {
		return nil
	}
	return c.o.Ready(task)
}

// unattended counts by needs the samples that have waited for some time.
func (c *Client) unattended(d time.Duration) map[need]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := map[need]int{}
	for _, b := range c.sent {
		if time.Since(b.sent) > d {
			list[b.key.need] += len(b.samples)
		}
	}
	return list
}

// missing describes the needs that no worker meets, why the present workers do not, and what to do.
func (c *Client) missing(n need, samples int, present []Card) string {
	var why []string
	for _, card := range present {
		switch _, speaks := card.Languages[n.language]; {
		case card.Protocol != protocol || token(card.Version) != token(n.version):
			why = append(why, fmt.Sprintf("%s is assay %s", card.Name, card.Version))
		case card.Isolation != n.isolation:
			why = append(why, fmt.Sprintf("%s isolates by %s", card.Name, card.Isolation))
		case !speaks:
			why = append(why, fmt.Sprintf("%s cannot run %s", card.Name, n.language))
		default:
			why = append(why, card.Name+" has no such library")
		}
		if len(why) == 5 && len(present) > 5 {
			why = append(why, fmt.Sprintf("and %d more", len(present)-5))
			break
		}
	}
	text := "no worker is there"
	if len(why) > 0 {
		text = "no worker that is there fits: " + strings.Join(why, ", ")
	}
	text = fmt.Sprintf("%d samples wait for a worker for %s; %s. Start one with: %s", samples, n.words(), text, c.command(n))
	switch {
	case c.o.Ready != nil:
		return fmt.Sprintf("%s (those of them that cannot be judged here are not_judged if none comes within %s)", text, c.settings.GiveUp)
	case c.o.Later != "":
		return text + " (still waiting; " + c.o.Later + ")"
	}
	return text
}

// command returns the command that starts a worker for the needs.
func (c *Client) command(n need) string {
	text := "ASSAY_NATS=" + c.address() + " assay worker"
	switch n.isolation {
	case "bwrap":
	default:
		text += " --isolation " + n.isolation
	}
	if n.library != "" {
		text += " --library " + n.language + "=DIRECTORY"
	}
	if c.o.Link.Server != nil {
		return text
	}
	for _, x := range []struct{ file, flag string }{{c.o.Link.Creds, "--creds"}, {c.o.Link.CA, "--tls-ca"}, {c.o.Link.Cert, "--tls-cert"}, {c.o.Link.Key, "--tls-key"}} {
		if x.file != "" {
			text += " " + x.flag + " FILE"
		}
	}
	return text
}

// address returns the address for workers, with a placeholder for secrets.
func (c *Client) address() string {
	address := c.o.Link.URL
	if c.o.Link.Server != nil {
		address = c.o.Link.Server.Address()
	}
	return withUser(address, url.User("TOKEN"))
}
