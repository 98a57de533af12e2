// Package stores opens the store of sessions for a verb, for writing or to be read, and finds the
// sessions that are named on a command line.
package stores
