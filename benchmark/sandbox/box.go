package sandbox

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"
)

// Box is a place to run untrusted programs in. One Box starts any number of
// processes, also at the same time; each gets an isolation of its own.
type Box interface {
	// Name is a short word for the backend: "bwrap", "none".
	Name() string

	// Enforcement says which mechanism enforces what, for example "net" ->
	// "namespace". The map is the caller's.
	Enforcement() map[string]string

	// Probe runs a tiny program in a real box. Its error names the cause and
	// the fix.
	Probe(ctx context.Context) error

	// Start runs a program. Cancelling ctx kills it and all its children.
	Start(ctx context.Context, spec Spec) (Process, error)

	// Close releases the box and kills whatever still runs in it.
	Close() error
}

// Process is a program running in a box, together with everything it starts.
type Process interface {
	// Control is the channel to the program: what is written arrives at its
	// descriptor 3, which ends when it is closed, and what it writes to descriptor 4
	// can be read.
	Control() (io.WriteCloser, io.Reader)

	// Ready reports whether the program began to run at once, with no interpreter to
	// be started first.
	Ready() bool

	// Arm limits what follows, until Disarm or the next Arm.
	Arm(Budget)
	Disarm()

	// Usage measures the processor time and memory of all its processes.
	Usage() Usage

	// Kill ends every process at once. The first cause is kept.
	Kill(Cause)

	// Done is closed when no process of the box is left.
	Done() <-chan struct{}

	// Enforcement says which mechanism enforces what for this process. The map
	// is the caller's.
	Enforcement() map[string]string

	// Close kills what still runs, waits until nothing is left, and tells how
	// it ended. It may be called more than once.
	Close() Outcome
}

// Spec is a program to run.
type Spec struct {
	Argv   []string // the program's absolute path and its arguments; empty: Fork's
	Fork   *Fork    // what a warm box forks in its place; nil: nothing
	Env    []string // the whole environment, as NAME=value
	Binds  []string // further host directories, visible read-only under the same path
	Limits Limits

	// Library is a host directory that the program sees read-only as LibraryDir;
	// "": none.
	Library string

	// Outputs are files below the working directory to be copied out when every
	// process has ended, see Outcome.Outputs: plain relative paths.
	Outputs []string
}

// LibraryDir is where programs find Spec.Library. The environment may name it.
const LibraryDir = "/library"

// Fork is a Python program in two parts. A warm box runs the first once and
// forks for each program; every other box runs both, one after the other.
type Fork struct {
	Interpreter []string // the interpreter's command line, up to the text of a program
	Imports     []string // modules that a warm box loads beforehand, those that exist
	Before      string   // definitions; trusted
	Rehearsal   string   // what a warm box does once, so that no program does it for the first time
	Cold        string   // what a program does first that is not forked
	After       string   // what each program does with them

	// Server is the command line of a fork server in another language, which speaks as
	// python/slot.py does, and Env what its environment has besides. Nothing else is set then.
	Server, Env []string
}

// argv is the command line that runs the program by itself.
func (s Spec) argv() []string {
	if len(s.Argv) > 0 {
		return s.Argv
	}
	return append(slices.Clone(s.Fork.Interpreter), s.Fork.Before+"\n\n"+s.Fork.Cold+"\n"+s.Fork.After)
}

// Limits hold for a process in a box from start to end. A zero value means
// that this limit is not set, except for Processes, OpenFiles and OutputKB,
// which have defaults.
type Limits struct {
	CPU            time.Duration // for each single process: a backstop behind the budgets
	MemoryMB       int           // resident memory of all processes together
	AddressSpaceMB int           // for each single process; only for languages that tolerate it
	Processes      int           // processes and threads at one time
	OutputKB       int           // for each of standard output and standard error
	FileMB         int           // everything in the private file system
	Files          int           // files and directories in the private file system
	OpenFiles      int           // descriptors of one process
}

// withDefaults fills in the limits that must never be absent.
func (l Limits) withDefaults() Limits {
	if l.Processes == 0 {
		l.Processes = 32
	}
	if l.OutputKB == 0 {
		l.OutputKB = 1024
	}
	if l.OpenFiles == 0 {
		l.OpenFiles = 256
	}
	if l.FileMB == 0 {
		l.FileMB = 64
	}
	if l.Files == 0 {
		l.Files = 4000
	}
	return l
}

// Budget bounds the time from one moment on. Zero means no bound.
type Budget struct {
	CPU   time.Duration // processor time of all processes, from now
	Total time.Duration // processor time of all processes, since the start
	Wall  time.Duration // elapsed time, from now, not counting what Usage.Excused adds meanwhile: a cap on idleness

	// Coarse lets "now" be the last routine measurement, a few hundredths of a
	// second ago, which saves one of its own.
	Coarse bool
}

// Usage is what a box has used.
type Usage struct {
	CPU      time.Duration // of all processes, those that have ended included
	MemoryKB int64         // resident, of all processes, at this moment
	PeakKB   int64         // the largest sum that was seen

	// Delayed is how long processes could have run and got no processor, all of them
	// together. It is known of those that were seen, and 0 where the kernel does not tell.
	Delayed time.Duration
}

// busyShare is the part of the elapsed time, as a divisor, that a program must
// have computed not to count as idle.
const busyShare = 10

// Excused is the elapsed time in which a program was not idle: it computed, perhaps
// slowly because it shared the processors with others, or waited for one of them. So
// a program is idle by its own doing alone, however busy the machine is.
func (u Usage) Excused() time.Duration { return busyShare*u.CPU + u.Delayed }

// Processors is what processors have done since the machine started, in ticks.
type Processors struct{ Busy, Idle int64 }

// Cause says why a box was killed. It is empty when the program ended by itself.
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
	Closed    Cause = "closed" // no longer needed: the normal end
	Lost      Cause = "lost"   // the box itself broke, by no fault of the program
)

// yieldsToMemory reports whether a program that the kernel killed for memory counts
// as that, although the cause was noticed first: what follows from a missing child
// may be waiting, or a broken box.
func (c Cause) yieldsToMemory() bool {
	switch c {
	case "", Closed, Lost, CPU, CPUTotal, Idle:
		return true
	}
	return false
}

// Outcome tells how a process ended.
type Outcome struct {
	Cause  Cause
	Exit   int // the exit status, or minus the signal that ended the program; nothing to rely on
	Usage  Usage
	Stdout []byte // the first part of it
	Stderr []byte

	// Outputs has an element for each of Spec.Outputs, in order. Only regular
	// files with a single name and of a limited size are copied; no link is followed.
	Outputs []OutputFile
}

// Unavailable is the error of a kind of box that cannot be had here, where both the
// cause and the fix are known.
type Unavailable struct{ Cause, Fix string }

// Error has both.
func (e *Unavailable) Error() string { return e.Fix + " (" + e.Cause + ")" }

// ErrNoConsent is returned by None without the user's consent.
var ErrNoConsent = errors.New("running code without a sandbox needs your explicit consent: " +
	"it could read and change everything that you can; install bubblewrap instead, " +
	"or confirm that you want to run it unprotected")
