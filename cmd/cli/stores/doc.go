// Package stores opens the store of sessions for a verb, for writing or reading, and finds the sessions
// named on a command line.
package stores
