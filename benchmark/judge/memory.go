package judge

import (
	"context"
	"sync"
	"time"

	"assay/benchmark/sandbox"
)

// memory keeps concurrent samples from needing more memory than there is: each reserves what it
// may use, and waits for room. One sample always has room.
//
// At first a task's samples reserve their limit, later twice the peak of the task's samples so
// far: most limits are a hundred times what is needed.
type memory struct {
	available func() (mb int, known bool)
	now       func() time.Time

	mu       sync.Mutex
	reserved int // MB
	running  int
	waiting  int            // for room
	peaks    map[string]int // by task, MB
	changed  chan struct{}  // closed when memory is released
	looked   time.Time      // when mb and known were read
	mb       int
	known    bool
}

const (
	leastReserve = 64 // MB
	usableShare  = 80 // percent of what is available
	lookEvery    = 200 * time.Millisecond
)

func newMemory() *memory {
	return &memory{available: sandbox.AvailableMemory, now: time.Now, peaks: map[string]int{}, changed: make(chan struct{})}
}

// reserve waits until there is room for a sample of the task. It returns a function that releases
// the memory and records the sample's peak.
func (m *memory) reserve(ctx context.Context, task string, limitMB int) (func(peakKB int64), error) {
	for {
		m.mu.Lock()
		need := limitMB
		if peak, known := m.peaks[task]; known {
			need = min(limitMB, max(leastReserve, 2*peak))
		}
		if m.fits(need) {
			m.reserved += need
			m.running++
			m.mu.Unlock()
			return func(peakKB int64) { m.giveBack(task, need, int(peakKB>>10)) }, nil
		}
		wait := m.changed
		m.waiting++
		m.mu.Unlock()
		var err error
		select {
		case <-wait:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		m.mu.Lock()
		m.waiting--
		m.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
}

// short reports whether a sample waits for memory.
func (m *memory) short() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.waiting > 0
}

// fits reports whether there is room. Running samples already use part of what was available, and
// their whole reservation is counted against the rest: this errs on the side of fewer samples.
func (m *memory) fits(need int) bool {
	if m.running == 0 {
		return true
	}
	if now := m.now(); now.Sub(m.looked) > lookEvery {
		m.looked = now
		m.mb, m.known = m.available()
	}
	return !m.known || m.reserved+need <= m.mb*usableShare/100
}

// giveBack ends a reservation. A peak of 0 is not known: nothing ran, or nobody measured it.
func (m *memory) giveBack(task string, reserved, peak int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= reserved
	m.running--
	if peak > 0 {
		m.peaks[task] = max(m.peaks[task], peak)
	}
	close(m.changed)
	m.changed = make(chan struct{})
}
