// Package cli is the program's command line: the tree of verbs with their old names, help with the
// manual, the home screen that opens without a verb, and serve. The other verbs lie in a package for
// each noun, which holds flags, wiring and exit codes; what a verb does lives in the package that
// owns it. The tests here type command lines.
package cli
