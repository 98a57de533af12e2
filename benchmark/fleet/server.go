package fleet

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServerOptions configure a server in this process.
type ServerOptions struct {
	Dir    string // directory of the streams
	Listen string // HOST:PORT for other machines; "": only this process can connect
	Token  string // token for other processes; "": generate one

	Cert, Key string // for TLS
}

// Server is a NATS server with JetStream in this process.
type Server struct {
	Token  string // token for connecting; "": nobody else can
	dir    string
	server *server.Server
	secure bool
}

// wholeDisk is more than any disk has. By itself the server refuses work once it has stored three quarters of what was
// free at its start, while there is room that checkDisk finds.
const wholeDisk = 1 << 50

// startTimeout is how long a server may take to load its streams.
const startTimeout = 30 * time.Second

// StartServer starts a server. Connecting requires the token.
func StartServer(o ServerOptions) (*Server, error) {
	options := &server.Options{ServerName: "assay-" + rand.Text()[:8], JetStream: true, StoreDir: o.Dir, NoSigs: true, NoLog: true,
		JetStreamMaxStore: wholeDisk, MaxPayload: maxSet, DontListen: o.Listen == "", DisableJetStreamBanner: true, NoSystemAccount: false}
	s := &Server{dir: o.Dir}
	if o.Listen != "" {
		host, port, err := net.SplitHostPort(o.Listen)
		if err != nil {
			return nil, fmt.Errorf("listening for workers: %w; give HOST:PORT, as in :4222", err)
		}
		number, err := strconv.Atoi(port)
		if err != nil || number < 0 || number > 65535 {
			return nil, fmt.Errorf("listening for workers: %q is not a port", port)
		}
		number = cmp.Or(number, server.RANDOM_PORT)
		host = cmp.Or(host, server.DEFAULT_HOST)
		options.Host, options.Port = host, number
		// Try the port first, for a better error than a server that never becomes ready.
		if l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(max(number, 0)))); err != nil {
			return nil, fmt.Errorf("listening for workers: %w", err)
		} else {
			l.Close()
		}
		if s.Token = o.Token; s.Token == "" {
			s.Token = rand.Text()
		}
		options.Authorization = s.Token
		if o.Cert != "" {
			pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
			if err != nil {
				return nil, fmt.Errorf("the certificate for workers: %w", err)
			}
			options.TLSConfig, options.TLSTimeout, s.secure = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, 5, true
		}
	}
	var err error
	if s.server, err = server.NewServer(options); err != nil {
		return nil, fmt.Errorf("starting the NATS server in this process: %w", err)
	}
	s.server.Start()
	if !s.server.ReadyForConnections(startTimeout) || !s.server.JetStreamEnabled() {
		s.server.Shutdown()
		return nil, fmt.Errorf("the NATS server in this process did not start; is %s a writable directory on a disk with free space?", o.Dir)
	}
	return s, nil
}

// Address returns the URL for workers, including the token.
func (s *Server) Address() string {
	a, ok := s.server.Addr().(*net.TCPAddr)
	if !ok {
		return ""
	}
	host := a.IP.String()
	if a.IP.IsUnspecified() {
		host = "THIS-MACHINE"
	}
	scheme := "nats"
	if s.secure {
		scheme = "tls"
	}
	return scheme + "://" + s.Token + "@" + net.JoinHostPort(host, strconv.Itoa(a.Port))
}

// Open reports whether other machines can connect without encryption.
func (s *Server) Open() bool {
	a, ok := s.server.Addr().(*net.TCPAddr)
	return ok && !a.IP.IsLoopback() && !s.secure
}

// roomFor is the free space, in bytes, that the server needs to store anything.
const roomFor = 256 << 10

// checkDisk fails if nothing can be written to the server's directory any more.
func (s *Server) checkDisk() error {
	f, err := os.CreateTemp(s.dir, "room-")
	if err == nil {
		_, err = f.Write(make([]byte, roomFor))
		err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return fmt.Errorf("the NATS server in this process can no longer store work and results: %w; free some space on that disk and run the same command again", err)
	}
	return nil
}

// Close stops the server. Its directory keeps the stored data.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}
