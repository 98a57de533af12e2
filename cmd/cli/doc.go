// Package cli is assay's command line: one file a verb, with its flags, wiring
// and exit codes. Nothing of the domain is decided here.
package cli
