package serve

import (
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// The environment that a connection may bring, and how much of it.
var environment = map[string]bool{"COLORTERM": true, "NO_COLOR": true, "LANG": true, "LC_ALL": true, "LC_CTYPE": true}

const (
	longestValue = 64
	mostValues   = 8

	widest, highest = 320, 120 // of a terminal that is drawn on to its corners
)

// keyUsed holds whether a connection has its channel.
type keyUsed struct{}

// keySizes holds the sizes that a connection's terminal has had and nobody has looked at.
type keySizes struct{}

// sizes keeps the newest size of a terminal.
type sizes chan ssh.Window

// put replaces the size that waits, if one does. Only one goroutine may call it.
func (s sizes) put(w ssh.Window) {
	select {
	case <-s:
	default:
	}
	s <- w
}

// channel opens the one channel of a connection, and lets through to it only what the
// screens need: a terminal, and the wish to see them. Sizes come another way, since they
// may come when nobody waits for them.
func (s *Server) channel(srv *ssh.Server, conn *gossh.ServerConn, offered gossh.NewChannel, ctx ssh.Context) {
	if used, ok := ctx.Value(keyUsed{}).(*atomic.Bool); !ok || used.Swap(true) {
		s.refused(ctx, "a second session")
		_ = offered.Reject(gossh.ResourceShortage, "one session for each connection")
		return
	}
	noted(ctx, keySigned{})
	resized := make(sizes, 1)
	ctx.SetValue(keySizes{}, resized)
	values := 0
	ssh.DefaultSessionHandler(srv, conn, screened{offered, func(r *gossh.Request) answer {
		what := s.lets(ctx, r, resized)
		if what == pass && r.Type == "env" {
			if values++; values > mostValues {
				s.tolerated(ctx)
				return refuse
			}
		}
		return what
	}}, ctx)
}

// noChannel refuses channels of other kinds, such as forwarded ports.
func (s *Server) noChannel(_ *ssh.Server, _ *gossh.ServerConn, offered gossh.NewChannel, ctx ssh.Context) {
	s.refused(ctx, offered.ChannelType())
	_ = offered.Reject(gossh.UnknownChannelType, "there is nothing but screens here")
}

// answer is what becomes of a request.
type answer int

const (
	refuse answer = iota
	grant         // and that is all
	pass          // on to the session
)

// screened is a channel, some requests of which are refused.
type screened struct {
	gossh.NewChannel
	lets func(*gossh.Request) answer
}

// Accept implements gossh.NewChannel.
func (c screened) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	channel, requests, err := c.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	through := make(chan *gossh.Request)
	go func() {
		defer close(through)
		for r := range requests {
			what := c.lets(r)
			if what == pass {
				through <- r
			} else {
				_ = r.Reply(what == grant, nil)
			}
		}
	}()
	return channel, through, nil
}

// lets says what becomes of a request.
func (s *Server) lets(ctx ssh.Context, r *gossh.Request, resized sizes) answer {
	switch r.Type {
	case "shell", "pty-req":
		return pass
	case "window-change":
		var w struct{ Width, Height, X, Y uint32 }
		if gossh.Unmarshal(r.Payload, &w) != nil {
			break
		}
		resized.put(ssh.Window{Width: int(w.Width), Height: int(w.Height)})
		return grant
	case "env":
		var v struct{ Name, Value string }
		switch err := gossh.Unmarshal(r.Payload, &v); {
		case err == nil && environment[v.Name] && len(v.Value) <= longestValue && !strings.ContainsFunc(v.Value, unprintable):
			return pass
		case err == nil && strings.HasPrefix(v.Name, "LC_"): // clients send them all
			s.tolerated(ctx)
			return refuse
		}
	case "signal", "keepalive@openssh.com", "eow@openssh.com":
		s.tolerated(ctx)
		return refuse
	}
	s.refused(ctx, r.Type)
	return refuse
}

func unprintable(r rune) bool { return r < ' ' || r > '~' }
