package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"slices"
	"time"
)

// Box runs untrusted programs. One Box starts any number of processes, also concurrently; each
// has its own isolation.
type Box interface {
	// Name returns the backend's name: "bwrap", "none".
	Name() string

	// Enforcement maps each limit to the mechanism that enforces it, for example "net" to
	// "namespace". The caller owns the map.
	Enforcement() map[string]string

	// Probe runs a trivial program in a real box. Its error names the cause and the fix.
	Probe(ctx context.Context) error

	// Start runs a program. Cancelling ctx kills it and all its children.
	Start(ctx context.Context, spec Spec) (Process, error)

	// Close releases the box and kills everything that still runs in it.
	Close() error
}

// Process is a program running in a box, together with everything it starts.
type Process interface {
	// Control returns the channel to the program: what is written arrives at its descriptor 3,
	// which reaches its end when the writer is closed, and what it writes to descriptor 4 can be
	// read.
	Control() (io.WriteCloser, io.Reader)

	// Ready reports whether the program runs from the start, without an interpreter that must
	// start first.
	Ready() bool

	// Arm sets a budget, until Disarm or the next Arm.
	Arm(Budget)
	Disarm()

	// Usage measures the processor time and memory of all processes of the box.
	Usage() Usage

	// Kill ends every process immediately. The first cause is kept.
	Kill(Cause)

	// Done is closed when the box has no process left.
	Done() <-chan struct{}

	// Enforcement is that of the box, for this process. The caller owns the map.
	Enforcement() map[string]string

	// Close kills all remaining processes, waits until none is left, and returns how the program
	// ended. It may be called more than once.
	Close() Outcome
}

// Spec is a program to run.
type Spec struct {
	Argv   []string // the program's absolute path and its arguments; empty: Fork's
	Fork   *Fork    // the program that a warm box forks instead; nil: none
	Env    []string // the whole environment, as NAME=value
	Binds  []string // additional host directories, read-only under the same path
	Limits Limits

	// Library is a host directory that the program sees read-only as LibraryDir;
	// "": none.
	Library string

	// Tree is a directory of which the program has a private writable copy, TreeDir; nil: none.
	Tree *Tree

	// Outputs are files below the working directory that are copied out after every process has
	// ended, see Outcome.Outputs: plain relative paths.
	Outputs []string
}

// LibraryDir is the path of Spec.Library inside the box. The environment may refer to it.
const LibraryDir = "/library"

// Tree is a directory on the host, see OwnTree. Programs share it copy-on-write, so its size costs none of them
// anything; what they change counts against FileMB and Files.
type Tree struct {
	Dir    string
	Python string // an interpreter that boxes see; it mounts the tree

	// System makes the directory's copy the box's root, instead of having it at TreeDir: /usr has also the machine's
	// programs, unless the directory has others of the same name, and of the box's own directories those are seen that
	// the directory lacks. The program starts in /. It needs overlays.
	System bool

	// Gate, if not nil, is called with a listener at GateAddress on the box's own loopback interface, before
	// the program starts. It is the only way out of the box. It is closed after the box has ended.
	Gate func(net.Listener)

	// Leave, if not nil, is called when every process of the box has ended, before its files are gone.
	Leave func(Left)
}

// GateAddress is where a program reaches the listener of Tree.Gate.
const GateAddress = "127.0.0.1:3128"

// Left is what a program left of its tree.
type Left struct {
	Dir fs.ReadLinkFS // nil: see Err
	Err error

	// Whole reports that Dir is the whole tree. Otherwise it has only what the program changed, as the upper
	// directory of an overlay: a character device in place of what was deleted, and directories that hide
	// what was below them, see Opaque.
	Whole bool

	// Opaque reports whether a directory of Dir hides the one of Tree.Dir.
	Opaque func(name string) bool
}

// TreeDir is the path of a program's copy of Spec.Tree, and then its working directory.
const TreeDir = "/repository"

// Fork is a Python program in two parts. A warm box runs the first once and forks for each
// program; every other box runs both in sequence.
type Fork struct {
	Interpreter []string // the interpreter's command line, up to the text of a program
	Imports     []string // modules that a warm box loads in advance, if they exist
	Before      string   // definitions; trusted
	Rehearsal   string   // runs once in a warm box, so that no program pays for the first time
	Cold        string   // runs first in a program that is not forked
	After       string   // runs in each program, with the definitions

	// Server is the command line of a fork server in another language with the protocol of
	// python/slot.py, and Env its additional environment. No other field is then set.
	Server, Env []string
}

// argv returns the command line that runs the program without forking.
func (s Spec) argv() []string {
	if len(s.Argv) > 0 {
		return s.Argv
	}
	return append(slices.Clone(s.Fork.Interpreter), s.Fork.Before+"\n\n"+s.Fork.Cold+"\n"+s.Fork.After)
}

// Limits apply to a process in a box from start to end. A zero value means no limit, except for
// Processes, OpenFiles and OutputKB, which have defaults.
type Limits struct {
	CPU            time.Duration // of each single process: a backstop behind the budgets
	MemoryMB       int           // resident memory of all processes together
	AddressSpaceMB int           // of each single process; only for languages that tolerate it
	Processes      int           // concurrent processes and threads
	OutputKB       int           // of standard output and standard error each
	FileMB         int           // everything in the private file system
	Files          int           // files and directories in the private file system
	OpenFiles      int           // descriptors of one process
}

// withDefaults sets the limits that must never be absent.
func (l Limits) withDefaults() Limits {
	l.Processes = cmp.Or(l.Processes, 32)
	l.OutputKB = cmp.Or(l.OutputKB, 1024)
	l.OpenFiles = cmp.Or(l.OpenFiles, 256)
	l.FileMB = cmp.Or(l.FileMB, 64)
	l.Files = cmp.Or(l.Files, 4000)
	return l
}

// Budget bounds time from one moment on. Zero means no bound.
type Budget struct {
	CPU   time.Duration // processor time of all processes, from now
	Total time.Duration // processor time of all processes, since the start
	Wall  time.Duration // what Usage.Idle gains from now: a bound on idle time

	// More, if not nil, is called once when CPU or Total is used up, and returns what to add to
	// each. The program goes on until it returns.
	More func() (cpu, total time.Duration)

	// Coarse takes the last routine measurement as "now", up to a few hundredths of a second old,
	// which saves a measurement.
	Coarse bool
}

// Usage is what a box has used.
type Usage struct {
	CPU      time.Duration // of all processes, including those that have ended
	MemoryKB int64         // resident, of all processes, at this moment
	PeakKB   int64         // the largest observed sum

	// Delayed is the total time for which processes could have run but had no processor. It
	// covers the observed processes, and is 0 where the kernel does not report it.
	Delayed time.Duration

	// Idle is the elapsed time in which no process computed, could have run, or waited for a disk, as far as
	// that was observed: a supervisor that is late, since it gets no processor, counts less.
	Idle time.Duration

	state byte // of the most active thread, as in /proc: R, D or another
}

// A program that computes for at least 1/busyShare of the elapsed time is not idle.
const busyShare = 10

// Excused is the elapsed time in which a program was not idle: it computed, perhaps slowly
// because it shared the processors, or waited for a processor. So a program is idle only by its
// own doing, however busy the machine is.
func (u Usage) Excused() time.Duration { return busyShare*u.CPU + u.Delayed }

// Processors are the times of processors since the machine started, in ticks.
type Processors struct{ Busy, Idle int64 }

// Cause is the reason why a box was killed. It is empty when the program ended by itself.
type Cause string

// The causes.
const (
	CPU       Cause = "cpu"       // a budget's CPU
	CPUTotal  Cause = "cpu_total" // a budget's Total
	Idle      Cause = "idle"      // a budget's Wall
	Memory    Cause = "memory"
	Output    Cause = "output" // too much text on standard output or standard error
	Files     Cause = "files"  // too many files
	Cancelled Cause = "cancelled"
	Closed    Cause = "closed" // no longer needed: the normal case
	Lost      Cause = "lost"   // the box itself failed, by no fault of the program
)

// yieldsToMemory reports whether a program that the kernel killed for memory counts as that
// although c was noticed first: c may be a consequence, such as waiting for a killed child, or a
// broken box.
func (c Cause) yieldsToMemory() bool {
	switch c {
	case "", Closed, Lost, CPU, CPUTotal, Idle:
		return true
	}
	return false
}

// Outcome is how a process ended.
type Outcome struct {
	Cause  Cause
	Exit   int // the exit status, or minus the signal that ended the program; untrusted
	Usage  Usage
	Stdout []byte // the first part
	Stderr []byte

	// Outputs has an element for each of Spec.Outputs, in order. Only regular files with a single
	// name and limited size are copied; no link is followed.
	Outputs []OutputFile
}

// Unavailable is the error of a box that does not work here, when both cause and fix are known.
type Unavailable struct{ Cause, Fix string }

// Error implements error.
func (e *Unavailable) Error() string { return e.Fix + " (" + e.Cause + ")" }

// errNoConsent is returned by None without the user's consent.
var errNoConsent = errors.New("running code without a sandbox needs your explicit consent: " +
	"it could read and change everything that you can; install bubblewrap instead, " +
	"or confirm that you want to run it unprotected")
