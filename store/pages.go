package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"sync"
)

// This file reads bbolt's file format version 2 through ReadAt, checking every number, before bbolt maps
// the file. A damaged file makes bbolt panic, fault, or recurse infinitely, which cannot be recovered from.

const (
	pageHeader = 16 // id u64, flags u16, count u16, overflow u32
	element    = 16 // of a branch or leaf page
	metaSize   = 64
	boltMagic  = 0xED0CDAED
	boltFormat = 2

	flagBranch   = 0x01
	flagLeaf     = 0x02
	flagFreelist = 0x10

	noFreelist = ^uint64(0)
	subBucket  = 0x01 // flag of a leaf element that is a bucket
)

var native = binary.NativeEndian

// boltMeta is one of the two meta pages of a bbolt file.
type boltMeta struct {
	pageSize int64
	root     uint64
	freelist uint64
	high     uint64 // high-water mark: the first page never used
	txid     uint64
}

// checkPages returns what makes a file of the given size unreadable as a bbolt database, as a phrase that
// follows the file's name; "" if nothing does. It reads the start of every page in use, not the texts.
func checkPages(f source, size int64) string {
	meta, ok := readMeta(f, size)
	if !ok {
		return "is not an assay store, or its beginning was overwritten"
	}
	if need := int64(meta.high) * meta.pageSize; size < need {
		return fmt.Sprintf("was cut short: it has %d of %d bytes", size, need)
	}
	if !bothMetas(f, meta) {
		return "has lost one of its two roots, perhaps that of the last change"
	}
	c := pageCheck{f: f, meta: meta, used: make(bitmap, meta.high/64+1)}
	c.pending = append(c.pending, meta.root)
	for len(c.pending) > 0 && len(c.pending) < manySubtrees && c.problem == "" {
		id := c.pending[0]
		c.pending = c.pending[1:]
		c.tree(id)
	}
	c.subtrees()
	if c.problem == "" && meta.freelist != noFreelist {
		c.free(meta.freelist)
	}
	return c.problem
}

// manySubtrees is enough to balance the load between processors.
const manySubtrees = 64

// subtrees checks the pending subtrees on two processors: the pages are scattered in memory, and most of
// the time is spent waiting for it.
func (c *pageCheck) subtrees() {
	var parts [2]pageCheck
	var wg sync.WaitGroup
	for i := range parts {
		part := &parts[i]
		*part = pageCheck{f: c.f, meta: c.meta, used: make(bitmap, len(c.used))}
		for n := i; n < len(c.pending); n += len(parts) {
			part.pending = append(part.pending, c.pending[n])
		}
		wg.Go(func() {
			for len(part.pending) > 0 && part.problem == "" {
				last := len(part.pending) - 1
				id := part.pending[last]
				part.pending = part.pending[:last]
				part.tree(id)
			}
		})
	}
	wg.Wait()
	for i := range parts {
		c.problem = cmp.Or(c.problem, parts[i].problem)
		for n, pages := range parts[i].used {
			if twice := c.used[n] & pages; twice != 0 {
				c.fail(uint64(n*64+bits.TrailingZeros64(twice)), "it is used twice")
			}
			c.used[n] |= pages
		}
	}
}

// readMeta finds the newer valid meta page, trying every page size that bbolt allows for the second.
func readMeta(f io.ReaderAt, size int64) (boltMeta, bool) {
	best, found := metaAt(f, 0)
	for at := int64(1024); at <= 1024<<14 && at+pageHeader+metaSize <= size; at <<= 1 {
		if found && at != best.pageSize {
			continue
		}
		if m, ok := metaAt(f, at); ok && m.pageSize == at && (!found || m.txid > best.txid) {
			best, found = m, true
		}
	}
	// Larger page numbers would overflow offsets; no real file has them.
	return best, found && best.high < 1<<40
}

func metaAt(f io.ReaderAt, at int64) (boltMeta, bool) {
	var buf [pageHeader + metaSize]byte
	if err := readFull(f, buf[:], at); err != nil {
		return boltMeta{}, false
	}
	b := buf[pageHeader:]
	sum := fnv.New64a()
	sum.Write(b[:56])
	if native.Uint32(b) != boltMagic || native.Uint32(b[4:]) != boltFormat || native.Uint64(b[56:]) != sum.Sum64() {
		return boltMeta{}, false
	}
	m := boltMeta{
		pageSize: int64(native.Uint32(b[8:])), root: native.Uint64(b[16:]),
		freelist: native.Uint64(b[32:]), high: native.Uint64(b[40:]), txid: native.Uint64(b[48:]),
	}
	return m, m.pageSize >= 1024 && m.pageSize <= 1024<<14 && bits.OnesCount64(uint64(m.pageSize)) == 1
}

// pageCheck walks the trees of one file without recursion.
type pageCheck struct {
	f       source
	meta    boltMeta
	used    bitmap
	pending []uint64 // roots of unchecked subtrees
	problem string
}

// source is a file, with its contents if they are in memory.
type source struct {
	io.ReaderAt
	text []byte
}

// head returns a page with its overflow if the file is in memory, otherwise only the page.
func (c *pageCheck) head(id uint64) ([]byte, error) {
	size := uint64(c.meta.pageSize)
	if c.f.text == nil {
		head := make([]byte, size)
		return head, readFull(c.f, head, int64(id*size))
	}
	pages := 1 + uint64(native.Uint32(c.f.text[id*size+12:]))
	return c.f.text[id*size : min(id+pages, c.meta.high)*size], nil
}

func (c *pageCheck) fail(id uint64, format string, args ...any) {
	if c.problem == "" {
		c.problem = fmt.Sprintf("is damaged on page %d: ", id) + fmt.Sprintf(format, args...)
	}
}

// page is a page with its overflow pages.
type page struct {
	flags, count uint16
	length       int64 // with the overflow, in bytes
	head         []byte
	all          io.ReaderAt
}

// ReadAt uses the part in memory if possible.
func (p page) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) <= int64(len(p.head)) {
		return copy(b, p.head[at:]), nil
	}
	return p.all.ReadAt(b, at)
}

// bytesAt reads length bytes of r; it returns the memory itself for a page in memory.
func bytesAt(r io.ReaderAt, at, length int64) ([]byte, error) {
	if p, ok := r.(page); ok && at+length <= int64(len(p.head)) {
		return p.head[at : at+length], nil
	}
	b := make([]byte, length)
	return b, readFull(r, b, at)
}

// page reads the start of a page and claims the page and its overflow.
func (c *pageCheck) page(id uint64) (page, bool) {
	if id < 2 || id >= c.meta.high {
		c.fail(id, "it lies outside the file's pages")
		return page{}, false
	}
	at := int64(id) * c.meta.pageSize
	head, err := c.head(id)
	if err != nil {
		c.fail(id, "it cannot be read (%v)", err)
		return page{}, false
	}
	overflow := uint64(native.Uint32(head[12:]))
	if got := native.Uint64(head); got != id {
		c.fail(id, "it calls itself page %d", got)
		return page{}, false
	}
	if id+overflow >= c.meta.high {
		c.fail(id, "it claims pages beyond the file's end")
		return page{}, false
	}
	for n := id; n <= id+overflow; n++ {
		if !c.used.add(n) {
			c.fail(n, "it is used twice")
			return page{}, false
		}
	}
	length := (int64(overflow) + 1) * c.meta.pageSize
	return page{
		flags: native.Uint16(head[8:]), count: native.Uint16(head[10:]), length: length,
		head: head, all: io.NewSectionReader(c.f, at, length),
	}, true
}

// tree checks one branch or leaf page and queues the pages below it.
func (c *pageCheck) tree(id uint64) {
	p, ok := c.page(id)
	if !ok {
		return
	}
	if p.flags != flagBranch && p.flags != flagLeaf {
		c.fail(id, "it is neither branch nor leaf (flags %#x)", p.flags)
		return
	}
	if p.flags == flagBranch && p.count == 0 {
		c.fail(id, "it is a branch without children")
		return
	}
	c.elements(id, p, p.length, p.flags, p.count, true)
}

// elements checks the elements of a page, or of a small bucket kept inside a value (nested false there:
// bbolt keeps no bucket inside such a bucket).
func (c *pageCheck) elements(id uint64, r io.ReaderAt, length int64, flags, count uint16, nested bool) {
	if int64(pageHeader)+int64(count)*element > length {
		c.fail(id, "it claims %d entries, more than it can hold", count)
		return
	}
	table, err := bytesAt(r, pageHeader, int64(count)*element)
	if err != nil {
		c.fail(id, "it cannot be read (%v)", err)
		return
	}
	var before []byte
	end := int64(pageHeader + len(table)) // where the next entry must begin: there are no gaps
	for i := range int(count) {
		at, e := int64(pageHeader+i*element), table[i*element:]
		var pos, ksize, vsize uint32
		if flags == flagBranch {
			pos, ksize = native.Uint32(e), native.Uint32(e[4:])
			c.pending = append(c.pending, native.Uint64(e[8:]))
		} else {
			pos, ksize, vsize = native.Uint32(e[4:]), native.Uint32(e[8:]), native.Uint32(e[12:])
		}
		start := at + int64(pos)
		if start != end || start+int64(ksize)+int64(vsize) > length || ksize > 1<<15 {
			c.fail(id, "entry %d does not lie where the one before ends", i)
			return
		}
		end = start + int64(ksize) + int64(vsize)
		key, err := bytesAt(r, start, int64(ksize))
		if err != nil {
			c.fail(id, "entry %d cannot be read (%v)", i, err)
			return
		}
		if i > 0 && bytes.Compare(before, key) >= 0 {
			c.fail(id, "entry %d is out of order", i)
			return
		}
		before = key
		if flags == flagLeaf && native.Uint32(e)&subBucket != 0 {
			if !nested {
				c.fail(id, "entry %d is a bucket where none can be", i)
				return
			}
			c.bucket(id, io.NewSectionReader(r, start+int64(ksize), int64(vsize)), int64(vsize))
		}
	}
}

// bucket checks the value that describes a bucket: the page of its root, or all of an inline one.
func (c *pageCheck) bucket(id uint64, r io.ReaderAt, length int64) {
	head := make([]byte, min(length, pageHeader+pageHeader))
	if err := readFull(r, head, 0); err != nil || length < pageHeader {
		c.fail(id, "a bucket's description is too short")
		return
	}
	if root := native.Uint64(head); root != 0 {
		c.pending = append(c.pending, root)
		return
	}
	if length < pageHeader+pageHeader {
		c.fail(id, "a bucket's description is too short")
		return
	}
	inline := head[pageHeader:]
	flags, count := native.Uint16(inline[8:]), native.Uint16(inline[10:])
	if flags != flagLeaf {
		c.fail(id, "a small bucket has flags %#x", flags)
		return
	}
	c.elements(id, io.NewSectionReader(r, pageHeader, length-pageHeader), length-pageHeader, flags, count, false)
}

// free checks the freelist: the next append would overwrite a page on it that is in use.
func (c *pageCheck) free(id uint64) {
	p, ok := c.page(id)
	if !ok {
		return
	}
	if p.flags != flagFreelist {
		c.fail(id, "it should list the free pages (flags %#x)", p.flags)
		return
	}
	at, count := int64(pageHeader), uint64(p.count)
	if p.count == 0xFFFF { // the actual count does not fit and comes first
		count, at = native.Uint64(p.head[at:]), at+8
	}
	if count > uint64(p.length-at)/8 {
		c.fail(id, "it lists more free pages than it can hold")
		return
	}
	list := make([]byte, count*8)
	if err := readFull(p, list, at); err != nil {
		c.fail(id, "it cannot be read (%v)", err)
		return
	}
	for ; len(list) > 0; list = list[8:] {
		page := native.Uint64(list)
		if page < 2 || page >= c.meta.high || !c.used.add(page) {
			c.fail(id, "page %d is listed as free, which it is not", page)
			return
		}
	}
}

// bothMetas reports whether both meta pages are readable. The older one is useless by itself, but if one is
// lost, it may have been the newer.
func bothMetas(f io.ReaderAt, newest boltMeta) bool {
	_, first := metaAt(f, 0)
	_, second := metaAt(f, newest.pageSize)
	return first && second
}

// readFull fills b. Unlike ReadAt, it returns no error at the end of the file if b is full.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	return err
}

// bitmap is a set of page numbers.
type bitmap []uint64

// remove removes id from the set.
func (b bitmap) remove(id uint64) { b[id/64] &^= 1 << (id % 64) }

// add adds id to the set and reports whether it was new.
func (b bitmap) add(id uint64) bool {
	bit := uint64(1) << (id % 64)
	if b[id/64]&bit != 0 {
		return false
	}
	b[id/64] |= bit
	return true
}
