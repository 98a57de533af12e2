// Package session has the verbs for sessions: listing, replaying, exporting and verifying them, and
// repairing their store.
package session
