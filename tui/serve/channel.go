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

	widest, highest = 500, 300 // of a terminal
)

// keyUsed holds whether a connection has its channel.
type keyUsed struct{}

// channel opens the one channel of a connection, and lets through to it only what the
// screens need: a terminal, its size, and the wish to see them.
func (s *Server) channel(srv *ssh.Server, conn *gossh.ServerConn, offered gossh.NewChannel, ctx ssh.Context) {
	ctx.Lock()
	used, _ := ctx.Value(keyUsed{}).(*atomic.Bool)
	if used == nil {
		used = &atomic.Bool{}
		ctx.SetValue(keyUsed{}, used)
	}
	ctx.Unlock()
	if used.Swap(true) {
		s.refused(ctx, "a second session")
		_ = offered.Reject(gossh.ResourceShortage, "one session for each connection")
		return
	}
	ssh.DefaultSessionHandler(srv, conn, screened{offered, func(r *gossh.Request) bool { return s.lets(ctx, r) }}, ctx)
}

// noChannel refuses channels of other kinds, such as forwarded ports.
func (s *Server) noChannel(_ *ssh.Server, _ *gossh.ServerConn, offered gossh.NewChannel, ctx ssh.Context) {
	s.refused(ctx, offered.ChannelType())
	_ = offered.Reject(gossh.UnknownChannelType, "there is nothing but screens here")
}

// screened is a channel, some requests of which are refused.
type screened struct {
	gossh.NewChannel
	lets func(*gossh.Request) bool
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
		values := 0
		for r := range requests {
			if r.Type == "env" {
				values++
			}
			if !c.lets(r) || values > mostValues {
				_ = r.Reply(false, nil)
				continue
			}
			through <- r
		}
	}()
	return channel, through, nil
}

// lets says whether a request may be made.
func (s *Server) lets(ctx ssh.Context, r *gossh.Request) bool {
	switch r.Type {
	case "shell", "window-change", "pty-req":
		return true
	case "env":
		var v struct{ Name, Value string }
		if gossh.Unmarshal(r.Payload, &v) == nil && environment[v.Name] && len(v.Value) <= longestValue && !strings.ContainsFunc(v.Value, unprintable) {
			return true
		}
	case "signal", "keepalive@openssh.com", "eow@openssh.com":
		return false
	}
	s.refused(ctx, r.Type)
	return false
}

func unprintable(r rune) bool { return r < ' ' || r > '~' }
