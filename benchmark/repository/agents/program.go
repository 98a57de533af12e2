// Package agents owns the values that pass between models that are programs and the boxes in which these work: what a
// program is started with, and what it has done.
package agents

import (
	"context"
	"io"
	"time"

	"assay/benchmark/gateway"
)

// Program is an agent: a program that is told what to do and changes files of a repository by itself.
type Program struct {
	Argv   []string // PromptArgument in an argument stands for the prompt
	Prompt string   // on standard input, unless an argument contains it

	Variables    map[string]string // of its environment
	KeyName, Key string            // a variable that is given to it alone, and is in no command line; "": none
	Hosts        []string          // that it may reach, as gateway.Address returns them
	Binds        []string          // directories that it sees, read-only, under the same path
	Git          bool              // its tree is a git repository with one commit

	Time                                  time.Duration
	MemoryMB, Processes, OutputMB, DiskMB int

	Before string // the answer in whose tree it goes on; "": the repository as it is

	Started func() // is called when its box has started: before that, the repository may have to be prepared

	// Talk takes the place of Prompt and Output unless it is nil: it writes what the program reads, and reads what it prints,
	// until it returns or ctx ends, which it does with the box. How the program exits is then of no account.
	Talk func(ctx context.Context, in io.Writer, out io.Reader)

	// Output receives what it prints, one piece after the other; with Errors also its standard error.
	// The limit that it returns, unless that is "", ends the program.
	Output func([]byte) Limit
	Errors bool
	Asked  func(gateway.Request)    // is called for each request of the network that has ended
	Mask   func(text string) string // removes secrets from files; nil: none
}

// PromptArgument stands for the prompt in an argument.
const PromptArgument = "{prompt}"

// Limit is a limit that ended a program.
type Limit string

// The limits.
const (
	LimitTime   Limit = "time"
	LimitMemory Limit = "memory"
	LimitOutput Limit = "output"
	LimitFiles  Limit = "files"

	// Limits of an attempt, which the caller counts.
	LimitSteps   Limit = "steps"
	LimitTokens  Limit = "tokens"
	LimitCost    Limit = "cost"
	LimitContext Limit = "context" // of the model
)

// Work is what an agent has done.
type Work struct {
	Diff    string   // of its tree, "" if it changed nothing
	TooMuch bool     // there is no Diff, because it would be too large for an answer
	LeftOut []string // changed files that are not in Diff, with the reason
	Limit   Limit    // that ended it; "": it ended by itself
	Exit    int
	Stderr  string // the beginning, unless it is in the output
	PeakKB  int64

	// Unreached is the last request to a granted host if it failed: then what the program did may not be its fault.
	Unreached *gateway.Request
}
