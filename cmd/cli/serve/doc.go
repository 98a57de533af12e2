// Package serve is assay serve: a study's screens for testers and the forms of ratings for raters, over SSH.
// It shares one store, sandbox and set of models fairly among them; package tui/serve has the SSH server.
package serve
