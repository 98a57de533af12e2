// Package gateway is the HTTP proxy through which a program in a box reaches the hosts that it was granted, and
// no other.
//
// A [Gateway] serves a listener inside the box, see sandbox.Tree.Gate. It accepts CONNECT and plain requests of
// HTTP, resolves names outside of the box, and reports each request when it has ended: its host, whether it was
// granted, and its bytes. What goes through a tunnel is encrypted for the host, and is not read. It uses no
// other proxy. The caller is benchmark/repository.
package gateway
