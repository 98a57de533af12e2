// Package filter is the line in which a person types a filter, with completion and with the
// matching tasks, found while typing. The browser of tasks and the form for a new session
// have one each. Matching and completing run in commands, of which only the newest counts, so
// that keys respond at once whatever the size of the benchmark.
package filter
