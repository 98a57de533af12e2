// Package cli is the program's command line: the tree of verbs with their old names, help with the manual,
// the home screen that opens without a verb, and serve. Each noun's verbs are in a package of their own,
// with flags, wiring and exit codes; the logic is in the package that owns it. The tests here run command
// lines.
package cli
