package sandbox

// What programs find in every box that isolates, beside programs, libraries and a private directory.
var (
	// devices are files below /dev.
	devices = [...]string{"null", "zero", "full", "random", "urandom"}

	// descriptorLinks are links and their targets.
	descriptorLinks = [...][2]string{
		{"/dev/fd", "/proc/self/fd"}, {"/dev/stdin", "/proc/self/fd/0"}, {"/dev/stdout", "/proc/self/fd/1"}, {"/dev/stderr", "/proc/self/fd/2"},
	}
)
