// Package serve offers the screens of a study over SSH: one program for each connection,
// all of them on one store and one engine of execution. Whoever comes in is a guest with a
// name, found by a public key or an invitation, and sees nothing but what Options.Open
// gives for that name. There is no shell, no forwarding, no file transfer: a connection
// can ask for a terminal and for the screens on it, and for nothing else.
//
// A connection that is lost, or that takes too long, leaves its screens as a tester does
// who presses ctrl+c: what was typed is saved, and the session is paused.
package serve
