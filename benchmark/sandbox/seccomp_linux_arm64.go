package sandbox

import (
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// auditArch names the architecture in struct seccomp_data.
const auditArch = unix.AUDIT_ARCH_AARCH64

// allowedHere are allowed calls that only this architecture has.
var allowedHere = [...]uint32{unix.SYS_FSTATAT}

// architectureGuard refuses nothing: arm64 has one set of calls.
func architectureGuard(bpf.Instruction) []bpf.Instruction { return nil }

// metadataHere are additional metadataCalls that only this architecture has.
var metadataHere = [...]uint32{}

// brokeredHere are additional brokered calls that only this architecture has.
var brokeredHere = [...]uint32{}

// brokeredPath reports whether the first argument of a brokered call is a path.
func brokeredPath(int32) bool { return false }
