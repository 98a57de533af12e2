package frame

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Latest computes a value for the newest key that it is asked for, off the update path. One job
// runs at a time: asking for another key cancels it, and of the keys asked for meanwhile only the
// last one gets a job, so that fast typing never queues up work.
type Latest[K comparable, V any] struct {
	key    K // of value
	value  V
	has    bool
	want   K
	job    func(context.Context) V // the job for want
	asked  bool
	run    int // counts jobs, to recognize late results
	cancel context.CancelFunc
}

// latestMsg is the result of a job.
type latestMsg[K comparable, V any] struct {
	of        *Latest[K, V]
	run       int
	key       K
	value     V
	cancelled bool
}

// Ask asks for the value of key, which job computes. The job must give up when its context is done,
// and must not read anything that the screen changes.
func (l *Latest[K, V]) Ask(key K, job func(context.Context) V) tea.Cmd {
	if l.asked && l.want == key {
		return nil
	}
	l.want, l.job, l.asked = key, job, true
	if l.cancel != nil {
		l.cancel()
		return nil // the next job starts when this one ends
	}
	return l.start()
}

func (l *Latest[K, V]) start() tea.Cmd {
	ctx, cancel := context.WithCancel(context.Background())
	l.run++
	l.cancel = cancel
	run, key, job := l.run, l.want, l.job
	return func() tea.Msg {
		value := job(ctx)
		return latestMsg[K, V]{l, run, key, value, ctx.Err() != nil}
	}
}

// Take handles the result of a job of l: it keeps the value, or starts the job that is wanted by
// now. Taken is false for other messages.
func (l *Latest[K, V]) Take(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	done, ok := msg.(latestMsg[K, V])
	if !ok || done.of != l {
		return nil, false
	}
	if done.run != l.run {
		return nil, true
	}
	l.cancel()
	l.cancel = nil
	if done.cancelled || done.key != l.want {
		return l.start(), true
	}
	l.key, l.value, l.has, l.job = done.key, done.value, true, nil
	return nil, true
}

// Resume restarts a job whose result went to another screen. Screens call it at ShownMsg.
func (l *Latest[K, V]) Resume() tea.Cmd {
	if l.cancel == nil {
		return nil
	}
	l.cancel()
	return l.start()
}

// Stop cancels the running job.
func (l *Latest[K, V]) Stop() {
	if l.cancel != nil {
		l.cancel()
	}
}

// Last returns the newest value with its key; ok is false before the first.
func (l *Latest[K, V]) Last() (key K, value V, ok bool) { return l.key, l.value, l.has }

// Settled reports whether the value of the last key is there.
func (l *Latest[K, V]) Settled() bool { return !l.asked || l.has && l.key == l.want }
