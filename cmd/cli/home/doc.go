// Package home has the verbs that open a session's screens: assay without a verb, which shows the home
// screen, and assay study join. With --plain both work line by line.
package home
