package frame

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Latest works something out off the update path, for the newest of the keys that it
// is asked for. One job runs at a time: asking for another key cancels it, and of the
// keys asked for meanwhile only the last one gets a job. So keys pressed quickly
// never queue up work.
type Latest[K comparable, V any] struct {
	key    K // of value
	value  V
	has    bool
	want   K
	job    func(context.Context) V // the job for want
	asked  bool
	run    int // counts jobs, so that a late answer of an old one is known
	cancel context.CancelFunc
}

// latestMsg is what a job came to.
type latestMsg[K comparable, V any] struct {
	of        *Latest[K, V]
	run       int
	key       K
	value     V
	cancelled bool
}

// Ask wants the value for key, which job works out. Job must give up when its context
// is done, and must read nothing that the screen changes.
func (l *Latest[K, V]) Ask(key K, job func(context.Context) V) tea.Cmd {
	if l.asked && l.want == key {
		return nil
	}
	l.want, l.job, l.asked = key, job, true
	if l.cancel != nil {
		l.cancel()
		return nil // the end of the job under way begins the next one
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

// Take looks whether msg is the end of a job of l. Then it keeps the value, or begins
// the job that is wanted by now.
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

// Resume begins a job again whose end went to another screen. It is for ShownMsg.
func (l *Latest[K, V]) Resume() tea.Cmd {
	if l.cancel == nil {
		return nil
	}
	l.cancel()
	return l.start()
}

// Stop gives up the job under way.
func (l *Latest[K, V]) Stop() {
	if l.cancel != nil {
		l.cancel()
	}
}

// Last is the newest value that there is, with its key; ok is false before the first.
func (l *Latest[K, V]) Last() (key K, value V, ok bool) { return l.key, l.value, l.has }

// Settled reports whether the value for the key that was asked for last is there.
func (l *Latest[K, V]) Settled() bool { return !l.asked || l.has && l.key == l.want }
