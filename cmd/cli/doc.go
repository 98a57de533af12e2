// Package cli is the program's command line: the tree of verbs with their old names, and help with the
// manual. Each noun's verbs are in a package of their own, with flags, wiring and exit codes; the logic is in
// the package that owns it. The tests here run command lines.
package cli
