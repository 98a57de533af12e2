package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay/benchmark"
	"assay/data/disk"
)

// packed is a task set as stored in the object store.
type packed struct {
	hash string
	text []byte
	once sync.Mutex // held while it is being stored
	done bool
}

// forget makes the next message check again that the set is stored.
func (p *packed) forget() {
	p.once.Lock()
	defer p.once.Unlock()
	p.done = false
}

func pack(tasks []benchmark.Task) *packed {
	text := encode(taskSet{Protocol: protocol, Tasks: tasks})
	return &packed{hash: disk.Sum(text), text: text}
}

// cut divides tasks into sets small enough for workers to fetch for a few samples.
func cut(tasks []benchmark.Task) [][]benchmark.Task {
	var sets [][]benchmark.Task
	from, size := 0, 0
	for i := range tasks {
		n := len(encode(tasks[i]))
		if i > from && size+n > maxSet {
			sets = append(sets, tasks[from:i])
			from, size = i, 0
		}
		size += n
	}
	if from < len(tasks) {
		sets = append(sets, tasks[from:])
	}
	return sets
}

// bring stores a set in the object store, unless it is there and will stay.
func (c *connection) bring(ctx context.Context, p *packed) error {
	p.once.Lock()
	defer p.once.Unlock()
	if p.done {
		return nil
	}
	info, err := c.tasks.GetInfo(ctx, p.hash)
	if err == nil && time.Since(info.ModTime) < keep {
		p.done = true
		return nil
	}
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return fmt.Errorf("looking for the tasks in the object store: %w", err)
	}
	if _, err := c.tasks.Put(ctx, jetstream.ObjectMeta{Name: p.hash, Description: "tasks of assay"}, bytes.NewReader(p.text)); err != nil {
		return fmt.Errorf("putting the tasks into the object store: %w", err)
	}
	p.done = true
	return nil
}

// maxFetched is the largest task set that a worker reads.
const maxFetched = 512 << 20

// sets caches the task sets that a worker has fetched, the most recently used first.
type sets struct {
	mu   sync.Mutex
	list []*fetched
}

type fetched struct {
	hash  string
	tasks []benchmark.Task
}

// keepSets is the number of task sets that a worker caches.
const keepSets = 8

// errNotTheTasks is the error for a task set with the wrong contents.
var errNotTheTasks = errors.New("the tasks do not match their hash")

// get returns the tasks of a set. Each set is fetched only once, even by concurrent callers.
func (s *sets) get(ctx context.Context, c *connection, hash string) ([]benchmark.Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.list {
		if f.hash == hash {
			copy(s.list[1:i+1], s.list[:i])
			s.list[0] = f
			return f.tasks, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	object, err := c.tasks.Get(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("fetching the tasks %.12s: %w", hash, err)
	}
	defer object.Close()
	text, err := io.ReadAll(io.LimitReader(object, maxFetched))
	if errors.Is(err, jetstream.ErrDigestMismatch) {
		return nil, fmt.Errorf("%w: %w", errNotTheTasks, err)
	}
	if err != nil {
		return nil, fmt.Errorf("fetching the tasks %.12s: %w", hash, err)
	}
	tasks, err := decodeTasks(text, hash)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotTheTasks, err)
	}
	s.list = append([]*fetched{{hash, tasks}}, s.list[:min(len(s.list), keepSets-1)]...)
	return tasks, nil
}
