package disktest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sector is the unit that a disk writes atomically, in bytes.
const sector = 512

// change is a change to a file that may not be on disk yet: data at an offset, or a new size.
type change struct {
	at   int
	data []byte // nil: at is the new size
}

func (c change) apply(text []byte, random *rand.Rand) []byte {
	if c.data == nil {
		return append(text[:min(len(text), c.at)], make([]byte, max(0, c.at-len(text)))...)
	}
	if more := c.at + len(c.data) - len(text); more > 0 {
		text = append(text, make([]byte, more)...)
	}
	for from := c.at; from < c.at+len(c.data); {
		to := min((from/sector+1)*sector, c.at+len(c.data))
		if random == nil || random.IntN(2) == 0 {
			copy(text[from:to], c.data[from-c.at:])
		}
		from = to
	}
	return text
}

// node is a file or a directory.
type node struct {
	dir     bool
	synced  []byte
	changes []change
	size    int

	names   map[string]*node // of a directory
	renames []rename         // not on disk yet
}

// rename is a change to a directory's names: a new name, a removed one (node is nil), or both.
type rename struct {
	gone, name string
	node       *node
}

func (r rename) apply(names map[string]*node) {
	delete(names, r.gone)
	if r.node != nil {
		names[r.name] = r.node
	}
}

// handle is an open file.
type handle struct {
	*node
	at      int
	appends bool
}

// disk is a directory as modified by system calls.
type disk struct {
	root string
	top  *node
	now  map[string]*node // by path below root
	open map[string]*handle
	done []string
}

func newDisk(root string) *disk {
	top := &node{dir: true, names: map[string]*node{}}
	return &disk{root: root, top: top, now: map[string]*node{".": top}, open: map[string]*handle{}}
}

// lose writes the directory as a power loss may leave it.
func (d *disk) lose(random *rand.Rand, to string) error { return d.top.lose(random, to) }

func (n *node) lose(random *rand.Rand, to string) error {
	if !n.dir {
		text := bytes.Clone(n.synced)
		count := random.IntN(len(n.changes) + 1)
		var sectors *rand.Rand
		if random.IntN(2) == 0 {
			sectors = random
		}
		for _, c := range n.changes[:count] {
			text = c.apply(text, sectors)
		}
		return os.WriteFile(to, text, 0o644)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	names := maps.Clone(n.names)
	for _, r := range n.renames[:random.IntN(len(n.renames)+1)] {
		r.apply(names)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if err := names[name].lose(random, filepath.Join(to, name)); err != nil {
			return err
		}
	}
	return nil
}

// sync marks the contents of a node as on disk.
func (n *node) sync() {
	for _, c := range n.changes {
		n.synced = c.apply(n.synced, nil)
	}
	for _, r := range n.renames {
		r.apply(n.names)
	}
	n.changes, n.renames = nil, nil
}

// Lines of strace: a system call with its arguments and result.
var (
	callLine = regexp.MustCompile(`(?s)^\d+ +(\w+)\((.*)\) += (-?\d+)(?:<.*>)?(?: .*)?$`)
	resumed  = regexp.MustCompile(`(?s)^(\d+) +<\.\.\. \w+ resumed>(.*)$`)
)

// whole joins the lines of calls that were interrupted by others.
func whole(log string) (lines []string) {
	began := map[string]string{}
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(line, "\n")
		if text, cut := strings.CutSuffix(line, "<unfinished ...>"); cut {
			pid, _, _ := strings.Cut(line, " ")
			began[pid] = text
			continue
		}
		if m := resumed.FindStringSubmatch(line); m != nil {
			line = began[m[1]] + m[2]
		}
		lines = append(lines, line)
	}
	return lines
}

// replay applies a call. It reports whether the directory was changed or synced.
func (d *disk) replay(line string) (changed bool, err error) {
	m := callLine.FindStringSubmatch(line)
	if m == nil {
		return false, nil // an exit, or a signal
	}
	result, err := strconv.Atoi(m[3])
	if err != nil || result < 0 {
		return false, err
	}
	args := strings.Split(m[2], ", ") // strings are hexadecimal and contain no comma
	fd, _, _ := strings.Cut(args[0], "<")
	switch call := m[1]; call {
	case "openat":
		return d.opens(m[3], args)
	case "write", "pwrite64":
		if fd == "2" {
			if what, ok := strings.CutPrefix(unquote(args[1]), doneMark); ok {
				d.done = append(d.done, strings.TrimSpace(what))
				return true, nil
			}
		}
		return d.writes(fd, call, args)
	case "lseek":
		if h := d.open[fd]; h != nil {
			h.at = result
		}
	case "ftruncate":
		h := d.open[fd]
		if h == nil {
			return false, nil
		}
		h.size, err = strconv.Atoi(args[1])
		h.changes = append(h.changes, change{at: h.size})
		return true, err
	case "fsync", "fdatasync":
		if h := d.open[fd]; h != nil {
			h.sync()
			return true, nil
		}
	case "mkdir", "mkdirat", "rename", "renameat", "renameat2", "unlink", "unlinkat":
		return d.names(call, args)
	default:
		if strings.Contains(unquote(m[2]), d.root) {
			return false, fmt.Errorf("%s is not simulated", call)
		}
	}
	return false, nil
}

// place returns a path relative to the directory, or "".
func (d *disk) place(arg string) string {
	path, err := filepath.Rel(d.root, unquote(arg))
	if err != nil || strings.HasPrefix(path, "..") {
		return ""
	}
	return path
}

func (d *disk) opens(fd string, args []string) (changed bool, err error) {
	delete(d.open, fd)
	path := d.place(args[1])
	if path == "" {
		return false, nil
	}
	n := d.now[path]
	if n == nil {
		if !strings.Contains(args[2], "O_CREAT") {
			return false, fmt.Errorf("%s was never made", path)
		}
		n, changed = &node{}, true
		d.rename(path, rename{name: filepath.Base(path), node: n})
	}
	if strings.Contains(args[2], "O_TRUNC") && n.size > 0 {
		n.size, n.changes, changed = 0, append(n.changes, change{}), true
	}
	d.open[fd] = &handle{n, 0, strings.Contains(args[2], "O_APPEND")}
	return changed, nil
}

func (d *disk) writes(fd, call string, args []string) (changed bool, err error) {
	h := d.open[fd]
	if h == nil {
		return false, nil
	}
	data := []byte(unquote(args[1]))
	at := h.at
	switch {
	case call == "pwrite64":
		if at, err = strconv.Atoi(args[3]); err != nil {
			return false, err
		}
	case h.appends:
		at = h.size
		fallthrough
	default:
		h.at = at + len(data)
	}
	h.changes = append(h.changes, change{at, data})
	h.size = max(h.size, at+len(data))
	return true, nil
}

// rename changes the current names; the change is on disk when the directory is synced.
func (d *disk) rename(path string, r rename) {
	above := d.now[filepath.Dir(path)]
	above.renames = append(above.renames, r)
	if r.gone != "" {
		delete(d.now, filepath.Join(filepath.Dir(path), r.gone))
	}
	if r.node != nil {
		d.now[path] = r.node
	}
}

func (d *disk) names(call string, args []string) (changed bool, err error) {
	var paths []string
	for _, arg := range args {
		if strings.HasPrefix(arg, `"`) {
			paths = append(paths, d.place(arg))
		}
	}
	path := paths[len(paths)-1]
	if path == "" {
		return false, nil
	}
	name := filepath.Base(path)
	switch {
	case strings.HasPrefix(call, "mkdir"):
		d.rename(path, rename{name: name, node: &node{dir: true, names: map[string]*node{}}})
	case strings.HasPrefix(call, "unlink"):
		d.rename(path, rename{gone: name})
	case filepath.Dir(paths[0]) != filepath.Dir(path) || d.now[paths[0]] == nil:
		return false, fmt.Errorf("%s to %s is not simulated", paths[0], path)
	default:
		d.rename(path, rename{gone: filepath.Base(paths[0]), name: name, node: d.now[paths[0]]})
	}
	return true, nil
}

var quoted = regexp.MustCompile(`\\x([0-9a-f]{2})`)

// unquote decodes a string that strace wrote in hexadecimal.
func unquote(arg string) string {
	arg = strings.Trim(arg, `"`)
	return quoted.ReplaceAllStringFunc(arg, func(s string) string {
		n, _ := strconv.ParseUint(s[2:], 16, 8)
		return string([]byte{byte(n)})
	})
}
