// Package fatal is for tests: it ends a test at an error that the test is not about.
package fatal

import "os"

// Test is a testing.TB or a test of another package.
type Test interface {
	Helper()
	Fatal(...any)
}

// If ends the test if err is not nil.
func If(t Test, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// Read returns the content of a file.
func Read(t Test, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	If(t, err)
	return text
}
