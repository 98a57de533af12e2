//go:build !linux

package sandbox

import (
	"context"
	"errors"
)

var errPlatform = errors.New("code is only run on Linux. " + Elsewhere())

// Bubblewrap isolates with the bwrap program; it exists on Linux only.
type Bubblewrap struct{ missing }

// Unprotected isolates nothing; it exists on Linux only.
type Unprotected struct{ missing }

// NewBubblewrap returns an error: there is no sandbox on this system.
func NewBubblewrap() (*Bubblewrap, error) { return nil, errPlatform }

// NewUnprotected returns an error: code can only be measured on Linux.
func NewUnprotected(bool) (*Unprotected, error) { return nil, errPlatform }

// OwnTree exists so that callers compile; there is never a box for a tree.
func OwnTree(string) error { return errPlatform }

type missing struct{}

func (missing) Name() string                                 { return "missing" }
func (missing) Enforcement() map[string]string               { return map[string]string{} }
func (missing) Probe(context.Context) error                  { return errPlatform }
func (missing) Start(context.Context, Spec) (Process, error) { return nil, errPlatform }
func (missing) Close() error                                 { return nil }

// Warm reuses boxes; it exists on Linux only.
type Warm struct{ missing }

// NewWarm exists so that callers compile; there is never a Bubblewrap to pass.
func NewWarm(*Bubblewrap) *Warm { return &Warm{} }

// Strict returns the boxes that are not reused.
func (w *Warm) Strict() *Bubblewrap { return &Bubblewrap{} }

// Reason returns why there is no box.
func (w *Warm) Reason() error { return errPlatform }

// Landlock restricts without namespaces; it exists on Linux only.
type Landlock struct{ missing }

// NewLandlock returns an error: there is no sandbox on this system.
func NewLandlock() (*Landlock, error) { return nil, errPlatform }

// Reexec does nothing here.
func Reexec() {}

// Container runs programs in containers; it exists on Linux only.
type Container struct{ missing }

// errNoImage is returned by NewContainer without an image.
var errNoImage = errors.New("no container image is named")

// NewContainer returns an error: there is no sandbox on this system.
func NewContainer(engine, image string) (*Container, error) { return nil, errPlatform }

// ProbeEngine returns an error: there is no sandbox on this system.
func ProbeEngine(context.Context, string) (string, error) { return "", errPlatform }

// MemoryCgroups returns an error: there is no sandbox on this system.
func MemoryCgroups() error { return errPlatform }

// AvailableMemory is unknown on this system.
func AvailableMemory() (mb int, known bool) { return 0, false }

// ProcessorTimes are unknown on this system.
func ProcessorTimes() (p Processors, known bool) { return p, false }

// NodeServer returns nothing: fork servers need Linux.
func NodeServer() string { return "" }
