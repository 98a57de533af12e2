package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// The most of what is counted: far above what anybody asks for, far below what a slice or a
// queue of that length would do to the machine.
const (
	MostWorkers  = 4096
	MostAttempts = 10_000
	MostSets     = 10_000
	MostTasks    = 10_000_000
)

// Bounded is a number flag between bounds.
type Bounded struct {
	pflag.Value
	Min, max float64 // a duration's in seconds
}

// Bounds gives a number flag its bounds, which every one has (TestNumberFlagsHaveBounds).
func Bounds(f *pflag.FlagSet, name string, min, max float64) {
	flag := f.Lookup(name)
	flag.Value = &Bounded{flag.Value, min, max}
}

// Set refuses a number out of bounds. NaN is within none.
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

// numbers are the numbers that the flag has now.
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
