package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"slices"

	"assay/data/disk"
	"assay/session"
	"assay/session/study"
)

// A scan collects every event and text that the pages of a store's files still contain. It trusts no page:
// an event counts if its hash covers its bytes, a text if its key is its hash. Events are linked by the
// hash of the previous event, so a log can be reassembled even if the pages leading to it are lost.
//
// It first reads the tree of the newest root, skipping unreadable pages. Then it searches every page,
// including those that the tree does not reach: a lost branch hides whole leaves, and free pages contain
// earlier versions of damaged leaves.
type scan struct {
	files  []*scanned
	events map[hash]*foundEvent
	after  map[hash][]*foundEvent // by the hash of the previous event; the zero hash for the first of a log
	texts  map[hash]extent

	unblinded     []byte // the record of unblindings
	unblindedRank int
}

type hash [sha256.Size]byte

// extent is a range of bytes in a file.
type extent struct {
	file   *scanned
	at     int64
	length int64
}

// foundEvent is a sealed event found in a file.
type foundEvent struct {
	extent
	seq     uint64
	hash    hash
	session string // only for the first event of a log
	buried  bool   // part of a tombstone
	refs    []session.Ref
	rank    int // 0: in the tree of the first file; 1: elsewhere in it; 2, 3: the second file
}

// scanned is a file of a scan.
type scanned struct {
	*os.File
	size     int64
	pageSize int64
	meta     boltMeta
	rank     int

	reached bitmap
	// What its newest root tells about the logs, and whether that root is readable.
	rootKnown bool
	logs      map[string]logEnd
	rows      map[string]uint64 // by the index, the number of the last event
}

// logEnd is what the tree tells about a log.
type logEnd struct {
	last  uint64
	whole bool // every page of the log is readable
}

func newScan() *scan {
	return &scan{events: map[hash]*foundEvent{}, after: map[hash][]*foundEvent{}, texts: map[hash]extent{}, unblindedRank: 1 << 30}
}

// add scans another file. Where files differ, those added first take precedence.
func (s *scan) add(ctx context.Context, path string) error {
	f, err := disk.Open(path)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	file := &scanned{File: f, size: info.Size(), pageSize: int64(os.Getpagesize()), rank: 2 * len(s.files), logs: map[string]logEnd{}, rows: map[string]uint64{}}
	s.files = append(s.files, file)
	if meta, ok := readMeta(f, file.size); ok {
		file.pageSize, file.meta = meta.pageSize, meta
	}
	file.reached = make(bitmap, file.size/file.pageSize/64+1)
	if file.meta.pageSize != 0 {
		file.rootKnown = bothMetas(f, file.meta)
		s.tree(file)
	}
	for id := int64(0); id*file.pageSize < file.size && ctx.Err() == nil; id++ {
		if file.reached.add(uint64(id)) {
			found, _ := file.elements(id*file.pageSize, file.pageSize, file.size-id*file.pageSize)
			s.collect(found, file.rank+1)
		}
	}
	return nil
}

func (s *scan) close() {
	for _, f := range s.files {
		_ = f.Close() // nothing was written
	}
}

// entry is an element of a leaf or branch.
type entry struct {
	bucket bool
	child  uint64 // of a branch
	key    []byte
	value  extent
}

// elements reads the elements of the page at an offset, which has room bytes before the next page and may
// extend to most bytes. end is their length, or 0 if anything about them is wrong; then it returns those
// that look plausible.
func (f *scanned) elements(at, room, most int64) (list []entry, end int64) {
	page := make([]byte, min(room, most))
	if len(page) < pageHeader || readFull(f, page, at) != nil {
		return nil, 0
	}
	if len(bytes.TrimLeft(page, "\x00")) == 0 { // a hole in the file
		return nil, 0
	}
	flags, count := native.Uint16(page[8:]), int64(native.Uint16(page[10:]))
	ok := (flags == flagLeaf || flags == flagBranch) && pageHeader+count*element <= int64(len(page))
	if !ok {
		flags, count = flagLeaf, int64(len(page)-pageHeader)/element
	}
	end = pageHeader + count*element
	for i := range count {
		e, from := page[pageHeader+i*element:], pageHeader+i*element
		var item entry
		var start, ksize int64
		if flags == flagBranch {
			start, ksize, item.child = from+int64(native.Uint32(e)), int64(native.Uint32(e[4:])), native.Uint64(e[8:])
		} else {
			start, ksize = from+int64(native.Uint32(e[4:])), int64(native.Uint32(e[8:]))
			item.bucket, item.value.length = native.Uint32(e)&subBucket != 0, int64(native.Uint32(e[12:]))
		}
		if start+ksize+item.value.length > most || ksize > 1<<15 || item.value.length > maxBlob+1 {
			ok = false
			continue
		}
		ok = ok && start == end
		end = start + ksize + item.value.length
		item.key = make([]byte, ksize)
		if readFull(f, item.key, at+start) != nil {
			ok = false
			continue
		}
		item.value.file, item.value.at = f, at+start+ksize
		list = append(list, item)
	}
	if !ok {
		end = 0
	}
	return list, end
}

// walk calls visit with the elements of all leaves below a page, and reports whether every page was
// readable.
func (f *scanned) walk(root uint64, visit func([]entry)) bool {
	whole := true
	for pending := []uint64{root}; len(pending) > 0; {
		id := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		var head [pageHeader]byte
		at := int64(id) * f.pageSize
		if id < 2 || id >= f.meta.high || at+f.pageSize > f.size || readFull(f, head[:], at) != nil || native.Uint64(head[:]) != id || !f.reached.add(id) {
			whole = false
			continue
		}
		overflow := int64(native.Uint32(head[12:]))
		list, end := f.elements(at, f.pageSize, min((overflow+1)*f.pageSize, f.size-at))
		if end == 0 || overflow > end/f.pageSize {
			whole = false
			f.reached.remove(id) // to be searched with all other pages
			continue
		}
		for n := id + 1; n <= id+uint64(overflow) && int64(n)*f.pageSize < f.size; n++ {
			f.reached.add(n) // the rest of a long text is not a page of its own
		}
		if native.Uint16(head[8:]) == flagLeaf {
			visit(list)
			continue
		}
		for _, e := range list {
			pending = append(pending, e.child)
		}
	}
	return whole
}

// bucket walks the bucket that an element describes.
func (f *scanned) bucket(value extent, visit func([]entry)) bool {
	head := make([]byte, pageHeader)
	if value.length < pageHeader || readFull(f, head, value.at) != nil {
		return false
	}
	if root := native.Uint64(head); root != 0 {
		return f.walk(root, visit)
	}
	list, end := f.elements(value.at+pageHeader, value.length-pageHeader, value.length-pageHeader)
	visit(list)
	return end != 0
}

// tree reads everything reachable from the newest root of a file.
func (s *scan) tree(f *scanned) {
	f.rootKnown = f.walk(f.meta.root, func(top []entry) {
		for _, e := range top {
			if !e.bucket {
				continue
			}
			switch string(e.key) {
			case string(bucketEvents):
				f.rootKnown = f.bucket(e.value, func(logs []entry) { s.logs(f, logs) }) && f.rootKnown
			case string(bucketTexts):
				f.bucket(e.value, func(sessions []entry) { s.sessionTexts(f, sessions) })
			case string(bucketBlobs):
				f.bucket(e.value, func(list []entry) { s.ownTexts(f, list) })
			case string(bucketSessions):
				f.bucket(e.value, func(rows []entry) { f.index(rows) })
			default:
				f.bucket(e.value, func(list []entry) { s.collect(list, f.rank) })
			}
		}
	}) && f.rootKnown
}

// logs reads the logs of sessions, and records where each ends.
func (s *scan) logs(f *scanned, logs []entry) {
	for _, e := range logs {
		if !e.bucket {
			continue
		}
		end := logEnd{}
		end.whole = f.bucket(e.value, func(list []entry) {
			for _, e := range list {
				if len(e.key) == 8 {
					end.last = max(end.last, bigEndian(e.key))
				}
			}
			s.collect(list, f.rank)
		})
		f.logs[string(e.key)] = end
	}
}

// sessionTexts reads the texts of sessions, of which long ones have buckets of their own.
func (s *scan) sessionTexts(f *scanned, sessions []entry) {
	for _, e := range sessions {
		if e.bucket {
			f.bucket(e.value, func(list []entry) { s.ownTexts(f, list) })
		}
	}
}

func (s *scan) ownTexts(f *scanned, list []entry) {
	s.collect(list, f.rank)
	for _, e := range list {
		if e.bucket {
			f.bucket(e.value, func(own []entry) { s.collect(own, f.rank) })
		}
	}
}

func (f *scanned) index(rows []entry) {
	for _, e := range rows {
		if r, err := decodeRow(e.value.read()); err == nil && r.ID == string(e.key) {
			f.rows[r.ID] = r.LastSeq
		}
	}
}

func (x extent) read() []byte {
	text := make([]byte, x.length)
	if readFull(x.file, text, x.at) != nil {
		return nil
	}
	return text
}

// collect keeps the elements that prove to be events or texts.
func (s *scan) collect(list []entry, rank int) {
	for _, e := range list {
		switch {
		case e.bucket:
			if e.value.length > 2*pageHeader { // an inline bucket, with its leaf inside
				inside, _ := e.value.file.elements(e.value.at+pageHeader, e.value.length-pageHeader, e.value.length-pageHeader)
				s.collect(inside, rank)
			}
		case len(e.key) == 8:
			s.takeEvent(e, rank)
		case len(e.key) == sha256.Size:
			s.takeText(e)
		case bytes.Equal(e.key, keyUnblinded):
			var all []study.Unblinding
			text := e.value.read()
			if json.Unmarshal(text, &all) == nil && (rank < s.unblindedRank || rank == s.unblindedRank && len(text) > len(s.unblinded)) {
				s.unblinded, s.unblindedRank = text, rank
			}
		}
	}
}

func (s *scan) takeText(e entry) {
	key := hash(e.key)
	if _, known := s.texts[key]; known {
		return
	}
	if text := e.value.read(); len(text) > 0 && text[0] == rawText && sha256.Sum256(text[1:]) == key {
		s.texts[key] = e.value
	}
}

func (s *scan) takeEvent(e entry, rank int) {
	text := e.value.read()
	if !bytes.HasPrefix(text, []byte(`{"seq":`)) {
		return
	}
	// Earlier versions of a page contain the same events, and decoding is slow.
	if end := len(text) - len(`"}`); end >= 2*sha256.Size {
		if known := s.events[hashOf(string(text[end-2*sha256.Size:end]))]; known != nil {
			known.rank = min(known.rank, rank)
			return
		}
	}
	event, err := session.DecodeSealed(text)
	if err != nil || event.Seq != bigEndian(e.key) {
		return
	}
	sum, prev := hashOf(event.Hash), hashOf(event.Prev)
	found := &foundEvent{extent: e.value, seq: event.Seq, hash: sum, rank: rank, refs: session.Refs(event.Payload)}
	switch p := event.Payload.(type) {
	case session.Opened:
		if event.Seq != 1 || event.Prev != "" {
			return
		}
		found.session = p.Session
	case session.Closed:
		found.buried = p.Reason == string(StatusWithdrawn) && event.Seq == 2
	}
	s.events[sum] = found
	s.after[prev] = append(s.after[prev], found)
}

// follow assembles the log that starts with an event, and marks its events as used.
func (s *scan) follow(first *foundEvent, used map[hash]bool) []*foundEvent {
	log := []*foundEvent{first}
	used[first.hash] = true
	for {
		last := log[len(log)-1]
		next := slices.DeleteFunc(slices.Clone(s.after[last.hash]), func(e *foundEvent) bool { return e.seq != last.seq+1 || e.session != "" })
		if len(next) == 0 {
			return log
		}
		// There is more than one if an append failed and another was recorded in its place.
		best := slices.MinFunc(next, func(a, b *foundEvent) int {
			if a.rank != b.rank {
				return a.rank - b.rank
			}
			return s.depth(b) - s.depth(a)
		})
		for _, e := range next {
			used[e.hash] = true
		}
		log = append(log, best)
	}
}

// depth returns the number of consecutive events from e on. Each has a higher number than the one before, so the
// recursion ends.
func (s *scan) depth(e *foundEvent) int {
	deepest := 0
	for level := []*foundEvent{e}; len(level) > 0; deepest++ {
		var below []*foundEvent
		for _, event := range level {
			for _, next := range s.after[event.hash] {
				if next.seq == event.seq+1 {
					below = append(below, next)
				}
			}
		}
		level = below
	}
	return deepest
}

// hashOf decodes a hexadecimal hash; the zero hash for "".
func hashOf(text string) (sum hash) {
	_, _ = hex.Decode(sum[:], []byte(text[:min(len(text), 2*len(sum))]))
	return sum
}
