package fleet

import (
	"os"
	"testing"
)

// role lets the test's program be a process of a fleet.
func role(m *testing.M) {
	os.Exit(m.Run())
}
