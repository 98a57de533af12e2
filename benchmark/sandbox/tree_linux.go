package sandbox

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

//go:embed python/tree.py
var treeProgram string

// OwnTree lets programs in boxes change their copies of a directory's files, as the user that boxes
// run as. Call it once for a directory that was just made.
func OwnTree(dir string) error {
	if os.Geteuid() != 0 { // boxes run as this user
		return nil
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
}

// etc are files that tests of repositories expect, by path: the box's user, and its names.
var etc = [...][2]string{
	{"/etc/passwd", "nobody:x:65534:65534:nobody:/tmp/work:/bin/sh\n"},
	{"/etc/group", "nogroup:x:65534:\n"},
	{"/etc/hosts", "127.0.0.1 localhost box\n::1 localhost\n"},
	{"/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"},
}

// etcFirst is the descriptor of the first of these files, after those of every box.
const etcFirst = 7

// arguments returns bwrap's arguments for the tree.
func (t *Tree) arguments() []string {
	args := []string{"--ro-bind", t.Dir, "/tree", "--dir", TreeDir, "--proc", "/proc", "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_DAC_OVERRIDE"}
	for i, file := range etc {
		args = append(args, "--ro-bind-data", strconv.Itoa(etcFirst+i), file[0])
	}
	return args
}

// etc opens pipes that hold the files.
func (t *Tree) etc() (files []*os.File, err error) {
	for _, file := range etc {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(files)
			return nil, err
		}
		w.WriteString(file[1])
		w.Close()
		files = append(files, r)
	}
	return files, nil
}

// mounted returns the command line that gives the program its tree. The program of python/tree.py
// reads the system call filter from a descriptor.
func (t *Tree) mounted(argv []string, filter int) []string {
	return append([]string{t.Python, "-I", "-S", "-B", "-c", treeProgram, strconv.Itoa(filter)}, argv...)
}

// errNoTree is the error of boxes that cannot give a program a tree.
var errNoTree = errors.New("a box of this kind cannot hold a repository: it takes bubblewrap, see assay doctor")
