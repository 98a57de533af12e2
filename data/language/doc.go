// Package language owns the table of programming languages: what a language is called, how its programs are
// compiled and run, how a script proves that its tests ended, what to install, and how it is highlighted.
//
// The built-in entries are languages.toml in this folder. A person adds entries in a file of the same form,
// which [Load] reads once, when the program starts. Everything that lists languages asks this package: the
// judge, the formats, the extraction of code, highlighting, files' endings and the doctor. What cannot be said
// as data (compilers that stay, warm forks, callers of functions) is benchmark/judge's, by the entry's name.
//
// The package is a leaf: it runs nothing, and imports only what reads files.
package language
