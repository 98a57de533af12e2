package cli

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
	mostWorkers  = 4096
	mostAttempts = 10_000
	mostSets     = 10_000
	mostTasks    = 10_000_000
)

// bounded is a number flag between bounds.
type bounded struct {
	pflag.Value
	min, max float64 // a duration's in seconds
}

// bounds gives a number flag its bounds, which every one has (TestNumberFlagsHaveBounds).
func bounds(f *pflag.FlagSet, name string, min, max float64) {
	flag := f.Lookup(name)
	flag.Value = &bounded{flag.Value, min, max}
}

// Set refuses a number out of bounds. NaN is within none.
func (b *bounded) Set(text string) error {
	if err := b.Value.Set(text); err != nil {
		return err
	}
	for _, n := range b.numbers() {
		if !(n >= b.min && n <= b.max) {
			return fmt.Errorf("from %s to %s is allowed", b.words(b.min), b.words(b.max))
		}
	}
	return nil
}

// numbers are the numbers that the flag has now.
func (b *bounded) numbers() []float64 {
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

func (b *bounded) words(n float64) string {
	if b.Type() == "duration" {
		return time.Duration(n * float64(time.Second)).String()
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
