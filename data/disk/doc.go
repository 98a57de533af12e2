// Package disk reads and writes files that people name: on the command line, in settings, in study and
// batch files. Readers stop at a limit, with an error that names it. Writers leave either the complete new
// file or the old one, on disk when they return, and never replace anything but a regular file. Append-only
// files (stores, results, journals) are written by the packages that own them.
package disk
