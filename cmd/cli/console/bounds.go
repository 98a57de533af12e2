package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Upper bounds of counts: far above any use, and far below what a slice or queue of that length would do to
// the machine.
const (
	MostWorkers  = 4096
	MostAttempts = 10_000
	MostSets     = 10_000
	MostTasks    = 10_000_000
)

// Bounded is a number flag with bounds.
type Bounded struct {
	pflag.Value
	Min, max float64 // for a duration in seconds
}

// Bounds sets the bounds of a number flag; every number flag has bounds (TestNumberFlagsHaveBounds).
func Bounds(f *pflag.FlagSet, name string, min, max float64) {
	flag := f.Lookup(name)
	flag.Value = &Bounded{flag.Value, min, max}
}

// Set rejects numbers out of bounds, including NaN.
func (b *Bounded) Set(text string) error {
	if err := b.Value.Set(text); err != nil {
		return err
	}
	for _, n := range b.numbers() {
		if !(n >= b.Min && n <= b.max) {
			return fmt.Errorf("from %s to %s is allowed", b.words(b.Min), b.words(b.max))
		}
	}
	return nil
}

// numbers returns the current numbers of the flag.
func (b *Bounded) numbers() []float64 {
	if b.Type() == "duration" {
		d, err := time.ParseDuration(b.String())
		if err != nil {
			return nil
		}
		return []float64{d.Seconds()}
	}
	var list []float64
	for text := range strings.SplitSeq(strings.Trim(b.String(), "[]"), ",") {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			list = append(list, n)
		}
	}
	return list
}

func (b *Bounded) words(n float64) string {
	if b.Type() == "duration" {
		return time.Duration(n * float64(time.Second)).String()
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
