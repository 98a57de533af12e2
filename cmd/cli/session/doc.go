// Package session has the verbs for the sessions of a store: listing, replaying, exporting and
// checking them, and repairing the store itself.
package session
