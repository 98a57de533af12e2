package judge

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"assay/benchmark/sandbox"
)

// resident is a compiler in its own box that compiles the sources of one sample after another. It
// runs no code of samples. If it fails for any reason but a malformed program it is abandoned,
// and the sample is compiled by the command, as if there were no resident compiler: so verdicts
// do not depend on it.
type resident struct {
	box  sandbox.Process
	w    io.Writer
	r    io.Reader
	uses int
	idle *time.Timer // ends the compiler when it fires
}

const (
	residentUses  = 1000        // samples, then a fresh process replaces it
	residentIdle  = time.Minute // without a sample, then it is ended to release memory
	residentHello = "\x01"      // its first message
	maxNames      = 100 << 10   // compiled files of one sample
)

var errResident = errors.New("a resident compiler did not answer")

// residents are the idle compilers of a language.
type residents struct {
	mu   sync.Mutex
	idle []*resident
}

func (rs *residents) take() *resident {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if len(rs.idle) == 0 {
		return nil
	}
	c := rs.idle[len(rs.idle)-1]
	rs.idle = rs.idle[:len(rs.idle)-1]
	c.idle.Stop()
	return c
}

func (rs *residents) put(c *resident) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.idle = append(rs.idle, c)
	c.idle = time.AfterFunc(residentIdle, func() { rs.drop(c) })
}

// drop ends a compiler if it is idle.
func (rs *residents) drop(c *resident) {
	rs.mu.Lock()
	at := slices.Index(rs.idle, c)
	if at >= 0 {
		rs.idle = slices.Delete(rs.idle, at, at+1)
	}
	rs.mu.Unlock()
	if at >= 0 {
		c.box.Close()
	}
}

func (rs *residents) close() {
	for c := rs.take(); c != nil; c = rs.take() {
		c.box.Close()
	}
}

// startResident starts the language's compiler.
func (r *run) startResident() (*resident, error) {
	argv, files := r.tool.resident(r.tool)
	limits := r.judge.compileLimits()
	limits.CPU = 0 // it lives for many samples, each of which has a budget
	p, err := r.judge.box.Start(r.judge.ctx, r.spec(argv, asServer, limits))
	if err != nil {
		return nil, err
	}
	c := &resident{box: p}
	c.w, c.r = p.Control()
	p.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	_, err = c.w.Write(r.handOver(p, argv, asServer, files))
	ready := make([]byte, 1)
	if err == nil {
		_, err = io.ReadFull(c.r, ready)
	}
	if err == nil {
		var hello []byte
		if hello, err = c.receive(16); err == nil && string(hello) != residentHello {
			err = errResident
		}
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return c, nil
}

// makeByResident compiles the files with a resident compiler. It returns false if that failed.
func (r *run) makeByResident(files map[string]string) (made map[string]string, failed *callFailure, ok bool) {
	for _, text := range files {
		if !utf8.ValidString(text) {
			return nil, nil, false
		}
	}
	rs := &r.tool.residents
	c := rs.take()
	for c == nil {
		var err error
		if c, err = r.startResident(); err != nil {
			return nil, nil, false
		}
	}
	stop := context.AfterFunc(r.ctx, func() { c.box.Kill(sandbox.Cancelled) })
	c.box.Arm(sandbox.Budget{CPU: r.judge.compileCPU, Wall: compileWall})
	made, messages, err := c.compile(files)
	c.uses++
	if !stop() || err != nil || c.uses >= residentUses {
		c.box.Close()
	} else {
		c.box.Disarm()
		rs.put(c)
	}
	switch {
	case err != nil:
		return nil, nil, false
	case made == nil:
		refused := compileFailure(sandbox.Outcome{Stderr: messages})
		return nil, refused, true
	}
	return made, nil, true
}

// compile sends the sources, as four-byte numbers and texts preceded by their lengths, and
// returns the compiled files, or the compiler's messages.
func (c *resident) compile(sources map[string]string) (made map[string]string, messages []byte, err error) {
	order := binary.BigEndian.AppendUint32(nil, uint32(len(sources)))
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		for _, text := range []string{name, sources[name]} {
			order = append(binary.BigEndian.AppendUint32(order, uint32(len(text))), text...)
		}
	}
	if _, err := c.w.Write(order); err != nil {
		return nil, nil, err
	}
	answer, err := c.receive(maxMade)
	if err != nil {
		return nil, nil, err
	}
	if len(answer) == 0 {
		return nil, nil, errResident
	}
	if rest := answer[1:]; answer[0] == 0 {
		return nil, rest, nil
	} else {
		answer = rest
	}
	made = map[string]string{}
	for in := bytes.NewReader(answer); in.Len() > 0; {
		name, err := residentText(in)
		if err != nil {
			return nil, nil, err
		}
		text, err := residentText(in)
		if err != nil || len(made) >= maxNames {
			return nil, nil, errResident
		}
		made[name] = text
	}
	return made, nil, nil
}

func residentText(in *bytes.Reader) (string, error) {
	var size uint32
	if err := binary.Read(in, binary.BigEndian, &size); err != nil || int64(size) > int64(in.Len()) {
		return "", errResident
	}
	text := make([]byte, size)
	_, err := io.ReadFull(in, text)
	return string(text), err
}

// receive reads a message of limited size.
func (c *resident) receive(limit uint32) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > limit {
		return nil, errResident
	}
	message := make([]byte, size)
	_, err := io.ReadFull(c.r, message)
	return message, err
}
