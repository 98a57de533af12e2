package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data/disk"
)

// library is a directory of packages that a task declares. Boxes see it read-only, and results
// record a hash of its content.
type library struct {
	dir      string
	packages string   // their path within dir
	env      []string // variables by which the interpreter finds them
	digest   string   // SHA-256 over names, kinds and contents
}

func (l *library) String() string {
	if l == nil {
		return ""
	}
	return l.dir + " sha256:" + l.digest
}

// add makes the library visible to a process.
func (l *library) add(spec sandbox.Spec) sandbox.Spec {
	if l != nil {
		spec.Library = l.dir
		spec.Env = append(spec.Env[:len(spec.Env):len(spec.Env)], l.env...)
	}
	return spec
}

// checker describes the checker's process. Only libraries of Python concern it.
func (l *library) checker(python interpreter) sandbox.Spec {
	if l == nil || !strings.HasPrefix(l.env[0], "PYTHONPATH=") {
		return python.checker()
	}
	return l.add(python.checker())
}

// library returns the task's library, or nil if it declares none. Each is read once.
func (j *Judge) library(task *benchmark.Task) (*library, error) {
	if task.Library == "" {
		return nil, nil
	}
	key := task.Language + "\x00" + task.Library
	j.libraryMu.Lock()
	defer j.libraryMu.Unlock()
	if l := j.libraries[key]; l != nil {
		return l, nil
	}
	l, err := openLibrary(task.Language, task.Library, j.python.Version)
	if err != nil {
		return nil, fmt.Errorf("the library of %s tasks: %w", task.Language, err)
	}
	if j.libraries == nil {
		j.libraries = map[string]*library{}
	}
	j.libraries[key] = l
	return l, nil
}

// openLibrary finds a language's packages in dir and computes the digest.
func openLibrary(language, dir, python string) (*library, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a readable directory; correct \"library\" in the task or \"libraries\" in the benchmark file", dir)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, err
	}
	if err := shelf.Reachable(dir); err != nil {
		return nil, err
	}
	l := &library{dir: dir}
	switch language {
	case "python":
		if _, err := os.Stat(filepath.Join(dir, "pyvenv.cfg")); err == nil {
			if l.packages, err = sitePackages(dir, python); err != nil {
				return nil, err
			}
		}
		l.env = []string{"PYTHONPATH=" + filepath.Join(sandbox.LibraryDir, l.packages)}
	case "r":
		l.env = []string{"R_LIBS=" + sandbox.LibraryDir}
	case "javascript":
		if disk.IsDir(filepath.Join(dir, "node_modules")) {
			l.packages = "node_modules"
		}
		l.env = []string{"NODE_PATH=" + filepath.Join(sandbox.LibraryDir, l.packages)}
	default:
		return nil, fmt.Errorf("there are libraries for python, r and javascript only, not for %q", language)
	}
	l.digest, err = digest(l.dir)
	return l, err
}

// sitePackages returns the directory of a virtual environment's packages for the interpreter.
func sitePackages(venv, python string) (string, error) {
	parts := strings.SplitN(python, ".", 3)
	if len(parts) < 2 {
		return "", errors.New("there is no Python interpreter to use it with")
	}
	version := "python" + parts[0] + "." + parts[1]
	if dir := filepath.Join("lib", version, "site-packages"); disk.IsDir(filepath.Join(venv, dir)) {
		return dir, nil
	}
	return "", fmt.Errorf("the virtual environment %s has no packages for %s, which runs the code; make it with that interpreter, or name its own with --python", venv, version)
}

// LibraryDigest returns the SHA-256 that results record of a library.
func LibraryDigest(dir string) (string, error) {
	if !disk.IsDir(dir) {
		return "", fmt.Errorf("%s is not a readable directory", dir)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	return digest(real)
}

// digest returns the SHA-256 over everything in a directory: names in order, contents of files,
// and targets of links. Files that Python compiled while it ran do not count.
func digest(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch kind := d.Type(); {
		case d.IsDir():
			if d.Name() == "__pycache__" {
				return fs.SkipDir
			}
			fmt.Fprintf(sum, "d %q\n", name)
		case kind&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "l %q %q\n", name, target)
		case kind.IsRegular():
			return digestFile(sum, name, path)
		default:
			fmt.Fprintf(sum, "o %q\n", name)
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("reading the library: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func digestFile(sum io.Writer, name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	own := sha256.New()
	if _, err := io.Copy(own, f); err != nil {
		return err
	}
	fmt.Fprintf(sum, "f %q %x\n", name, own.Sum(nil))
	return nil
}
