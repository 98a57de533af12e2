// Package console has what every verb needs: the streams of the process, exit codes, global flags, bounds
// of number flags, output that untrusted names cannot hijack, progress lines and signals. It knows nothing
// of sessions or tasks.
package console
