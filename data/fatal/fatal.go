// Package fatal is for tests: it ends a test at an error that the test is not about.
package fatal

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
