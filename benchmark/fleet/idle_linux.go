package fleet

import (
	"strings"
	"unsafe" // also for go:linkname

	_ "github.com/nats-io/nats-server/v2/server/pse"
)

// The NATS server's package pse reads this file once a second from the start of every program that contains
// it, whether a server runs or not, to know the processor time that its monitoring shows. assay does not
// use that, and it was half of the processor time of an idle session. It stops if it cannot read the file.
//
//go:linkname procStatFile github.com/nats-io/nats-server/v2/server/pse.procStatFile
var procStatFile string

// The other package's timer may read the name at the same moment. So only its pointer is replaced, by one to a name
// of the same length that no file can have: the timer sees the one or the other, and never a mixture.
//
//go:norace
func init() {
	name := strings.Repeat("\x00", len(procStatFile))
	*(*unsafe.Pointer)(unsafe.Pointer(&procStatFile)) = unsafe.Pointer(unsafe.StringData(name))
}
