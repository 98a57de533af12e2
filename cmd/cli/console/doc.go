// Package console is what every verb has whatever it is about: the streams of the process, exit
// codes, the flags of all verbs, bounds of number flags, output that no name can take over, progress
// lines and signals. It knows nothing of sessions or tasks.
package console
