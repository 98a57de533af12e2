package sandbox

import (
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// auditArch names the architecture in struct seccomp_data.
const auditArch = unix.AUDIT_ARCH_AARCH64

// allowedHere are the calls of allowedCalls that only this architecture has.
var allowedHere = [...]uint32{unix.SYS_FSTATAT}

// architectureGuard has nothing to refuse here: arm64 has one set of calls.
func architectureGuard(bpf.Instruction) []bpf.Instruction { return nil }

// metadataHere are further calls of metadataCalls that only this architecture has.
var metadataHere = [...]uint32{}

// brokeredHere are further calls of brokered that only this architecture has.
var brokeredHere = [...]uint32{}

// brokeredPath reports whether a call of brokered begins with a path.
func brokeredPath(int32) bool { return false }
