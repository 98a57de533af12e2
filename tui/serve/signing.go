package serve

import (
	"net"
	"slices"
)

// signing are the connections that have not signed in: a stranger can have as many as there
// are, and never finish one. Who holds the server's lock may use it.
type signing struct {
	all int
	by  map[string][]net.Conn // by address, the oldest first
}

func (s *signing) add(from string, conn net.Conn) {
	s.all++
	s.by[from] = append(s.by[from], conn)
}

// remove takes off a connection that has signed in or is closed.
func (s *signing) remove(from string, conn net.Conn) {
	i := slices.Index(s.by[from], conn)
	if i < 0 {
		return
	}
	s.all--
	if s.by[from] = slices.Delete(s.by[from], i, i+1); len(s.by[from]) == 0 {
		delete(s.by, from)
	}
}

// most is the address that has most of them, and how many.
func (s *signing) most() (from string, n int) {
	for address, conns := range s.by {
		if len(conns) > n {
			from, n = address, len(conns)
		}
	}
	return from, n
}

// keySigned holds what is called when a connection has signed in.
type keySigned struct{}

// mayBegin says whether one more connection of an address may sign in. Where too many do,
// the oldest one of the address that has most makes room for one that has fewer: who opens
// connections and finishes none keeps nobody else out. The caller holds mu.
func (s *Server) mayBegin(from string) bool {
	own := len(s.signing.by[from])
	if own >= s.limits.SigningPer {
		return false
	}
	if s.signing.all < s.limits.Signing {
		return true
	}
	worst, n := s.signing.most()
	if n <= own+1 {
		return false
	}
	oldest := s.signing.by[worst][0]
	s.signing.remove(worst, oldest)
	s.Counts.Refused.Add(1)
	s.warn("connection closed", "address", oldest.RemoteAddr().String(), "why", "it did not sign in, and others wait")
	_ = oldest.Close()
	return true
}
