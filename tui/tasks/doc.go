// Package tasks is the browser of tasks: a filter, the list of matching tasks, one task in full,
// and counts by metadata. It changes only the saved filters, which are passed in as [SavedFilters].
// Searching, rendering and counting run in commands, of which only the latest counts, and only
// the visible rows of the list are drawn, so that a hundred thousand tasks scroll like ten.
package tasks
