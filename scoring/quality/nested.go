package quality

import "assay/scoring/syntax"

// nestedLedger is the cognitive complexity of SonarQube's analysers for Python and most languages: code
// counts for its function and for every function around it, at the nesting level seen from each; the file's
// is the sum over its outermost functions and the code outside them.
type nestedLedger struct {
	w      *walker
	total  int
	frames []frame
}

// frame is an open function or class of the walker; the first is the file.
type frame struct {
	node  *syntax.Node // nil for a class and for the file
	index int          // of the function
	base  int          // the level at its start
	level int
}

func newNestedLedger(w *walker) ledger { return &nestedLedger{w: w, frames: []frame{{}}} }

func (l *nestedLedger) top() *frame { return &l.frames[len(l.frames)-1] }

func (l *nestedLedger) enter(n *syntax.Node, _ bool) {
	parent, base := l.top(), 0
	if parent.node != nil {
		base = parent.level + 1
		if l.w.wraps != nil && l.w.wraps(parent.node, n) {
			base = parent.level
		}
	}
	l.frames = append(l.frames, frame{n, len(l.w.m.Functions) - 1, base, base})
}

func (l *nestedLedger) leave(*syntax.Node, bool) { l.frames = l.frames[:len(l.frames)-1] }
func (l *nestedLedger) enterClass()              { l.frames = append(l.frames, frame{}) }
func (l *nestedLedger) leaveClass()              { l.frames = l.frames[:len(l.frames)-1] }
func (l *nestedLedger) deepen(by int)            { l.top().level += by }
func (l *nestedLedger) file() int                { return l.total }

func (l *nestedLedger) point(structural bool) {
	level := 0
	if structural {
		level = l.top().level
	}
	l.total += 1 + level
	sameRun := true // no class in between
	for i := len(l.frames) - 1; i > 0; i-- {
		f := &l.frames[i]
		if f.node == nil {
			sameRun = false
			continue
		}
		added := 1 + level
		if structural && sameRun {
			added -= f.base
		}
		l.w.m.Functions[f.index].Cognitive += added
	}
}
