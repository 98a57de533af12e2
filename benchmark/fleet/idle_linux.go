package fleet

import (
	_ "unsafe" // for go:linkname

	_ "github.com/nats-io/nats-server/v2/server/pse"
)

// The NATS server's package pse reads this file once a second from the start of every program that contains
// it, whether a server runs or not, to know the processor time that its monitoring shows. assay does not
// use that, and it was half of the processor time of an idle session. It stops if it cannot read the file.
//
//go:linkname procStatFile github.com/nats-io/nats-server/v2/server/pse.procStatFile
var procStatFile string

func init() { procStatFile = "" }
