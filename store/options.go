package store

import (
	"cmp"
	"os"
	"strings"
	"time"
)

// Options for opening a store. The zero value is ready to use.
type Options struct {
	// Version of the program, recorded in a store that it creates.
	Version string
	// Command is shown to another process that finds the store in use. The default is the name of the
	// running program without its arguments, which may be private.
	Command string
	// Now is the clock; the default is time.Now.
	Now func() time.Time
	// SnapshotEvery is the shortest time between two snapshots; the default is five seconds. Less than 64 KB may wait six
	// times as long. A negative value turns snapshots off.
	SnapshotEvery time.Duration
	// Notify is called, from a goroutine of the store, with a sentence for the user when the store has been
	// repaired after a problem; may be nil.
	Notify func(string)
}

func (o Options) withDefaults() Options {
	if o.Command == "" {
		name := os.Args[0]
		o.Command = name[strings.LastIndexByte(name, os.PathSeparator)+1:]
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.SnapshotEvery = cmp.Or(o.SnapshotEvery, 5*time.Second)
	return o
}
