// Package disk reads and writes the files that people name: on the command line, in
// settings, in study and batch files. A reader gives up at a limit that its error names. A
// writer leaves the whole new file or the old one, on the disk when it returns, and never
// replaces anything but a regular file. What is appended to (stores, results, journals) is
// written by the package that owns it.
package disk
