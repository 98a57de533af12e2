// Package serve offers the screens of a study over SSH: one program for each connection,
// all of them on one store and one execution engine. A guest has a name, found by a public
// key or an invitation, and sees only what Options.Open returns for that name. There is no
// shell, no forwarding and no file transfer: a connection can ask for a terminal with the
// screens on it, and for nothing else.
//
// When a connection is lost or times out, its screens are left as with ctrl+c: typed text is
// saved, and the session is paused.
package serve
