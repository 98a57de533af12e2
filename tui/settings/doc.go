// Package settings is the tester's settings file: theme, mouse, clock, pictures, the
// direction of writing, and remapped keys. Errors in it name file, line and field, and single
// values are written back without touching the rest. The package also lists, by scope, the
// keys that can be remapped.
package settings
