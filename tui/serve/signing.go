package serve

import (
	"net"
	"slices"
	"time"

	"github.com/charmbracelet/ssh"
)

// How long a connection that has not signed in keeps its place where others wait for one. A
// program says who it is in five round trips; people look for their code, and type it.
const (
	silentKeeps = 2 * time.Second
	askedKeeps  = 15 * time.Second // after the question for a code
)

// coming is a connection that has not signed in.
type coming struct {
	conn  net.Conn
	since time.Time
	asked bool // it is at the question for a code
}

// signing are the connections that have not signed in: a stranger can have as many as there
// are, and never finish one. Who holds the server's lock may use it.
type signing struct {
	all int
	by  map[string][]*coming // by address, the oldest first
}

func (s *signing) add(from string, c *coming) {
	s.all++
	s.by[from] = append(s.by[from], c)
}

// remove takes off a connection that has signed in or is closed.
func (s *signing) remove(from string, c *coming) {
	i := slices.Index(s.by[from], c)
	if i < 0 {
		return
	}
	s.all--
	if s.by[from] = slices.Delete(s.by[from], i, i+1); len(s.by[from]) == 0 {
		delete(s.by, from)
	}
}

// oldest returns the connection that has kept its place for the longest time and for long enough,
// of those that were asked or of those that were not, from addresses with at least so many of
// them; nil if there is none.
func (s *signing) oldest(asked bool, atLeast int, now time.Time) (from string, first *coming) {
	for address, all := range s.by {
		if len(all) < atLeast {
			continue
		}
		if c := oldestOf(all, asked, now); c != nil && (first == nil || c.since.Before(first.since)) {
			from, first = address, c
		}
	}
	return from, first
}

// crowded returns the oldest connection that was not asked for a code of the address with most, for
// one more from an address that has less than its share of all places; nil if it has its share.
// Strangers who come again as soon as they are put out keep no places to themselves.
func (s *signing) crowded(from string, places int) (crowd string, first *coming) {
	addresses := len(s.by)
	if len(s.by[from]) == 0 {
		addresses++
	}
	if len(s.by[from]) >= places/addresses {
		return "", nil
	}
	for address, all := range s.by {
		i := slices.IndexFunc(all, func(c *coming) bool { return !c.asked })
		if i >= 0 && (first == nil || len(all) > len(s.by[crowd])) {
			crowd, first = address, all[i]
		}
	}
	return crowd, first
}

// oldestOf is oldest for one address.
func oldestOf(all []*coming, asked bool, now time.Time) *coming {
	keeps := silentKeeps
	if asked {
		keeps = askedKeeps
	}
	i := slices.IndexFunc(all, func(c *coming) bool { return c.asked == asked })
	if i < 0 || now.Sub(all[i].since) < keeps {
		return nil
	}
	return all[i]
}

// spare returns the connection that one more from an address takes the place of, when all places
// of the address are taken (own) or all that there are; nil if none has kept its own for long
// enough. Those that were asked for a code are spared as long as there are others. Of all,
// those of the addresses with most go first: who has no more than half as many as another one
// loses a place only if nobody else can.
func (s *signing) spare(from string, own bool, now time.Time) (string, *coming) {
	most := 0
	for _, all := range s.by {
		most = max(most, len(all))
	}
	for _, asked := range []bool{false, true} {
		if own {
			if c := oldestOf(s.by[from], asked, now); c != nil {
				return from, c
			}
			continue
		}
		for _, atLeast := range []int{most/2 + 1, 0} {
			if address, c := s.oldest(asked, atLeast, now); c != nil {
				return address, c
			}
		}
	}
	return "", nil
}

type (
	keySigned struct{} // holds what is called when a connection has signed in
	keyAsked  struct{} // holds what is called when it is asked for a code
	// keyTooMany holds what is called when its address has tried too many wrong codes.
	keyTooMany struct{}
)

// noted calls what a connection's context holds.
func noted(ctx ssh.Context, key any) {
	if f, ok := ctx.Value(key).(func()); ok {
		f()
	}
}

// mayBegin reports whether one more connection of an address may sign in. Where too many do, one
// that has been at it for long makes room, or one of the address with most: who opens
// connections and finishes none keeps nobody else out. The caller holds mu.
func (s *Server) mayBegin(from string) bool {
	own := len(s.signing.by[from]) >= s.limits.SigningPer
	if !own && s.signing.all < s.limits.Signing {
		return true
	}
	address, c := s.signing.spare(from, own, s.o.Now())
	if c == nil && !own {
		address, c = s.signing.crowded(from, s.limits.Signing)
	}
	if c == nil {
		return false
	}
	s.signing.remove(address, c)
	s.Counts.Refused.Add(1)
	s.warn("connection closed", "address", c.conn.RemoteAddr().String(), "why", "it did not sign in, and others wait")
	_ = c.conn.Close()
	return true
}
