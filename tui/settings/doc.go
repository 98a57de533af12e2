// Package settings is the tester's settings file: theme, mouse, clock, pictures, the
// direction of writing, and keys of their own. It reads the file with file, line and
// field in every error, and writes single values back without touching the rest. It
// also lists, by scope, the keys of assay that can be given another; cmd/cli finds the
// file, and the root model of tui works by it.
package settings
