package repository

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"assay/benchmark/sandbox"
)

// dpkgStatus has the packages of Debian that are installed.
const dpkgStatus = "/var/lib/dpkg/status"

// emptyDirs are directories that the environment of a task directory has, whatever its image.
var emptyDirs = strings.Fields("etc home logs/agent logs/verifier mnt media opt root srv usr/bin usr/games usr/include usr/lib usr/sbin usr/share " +
	"usr/local/bin usr/local/etc usr/local/include usr/local/lib usr/local/sbin usr/local/share usr/local/src usr/share/man/man1 " +
	"var/backups var/cache/apt var/lib/apt/lists var/lib/dpkg var/log/apt var/mail var/spool var/tmp var/www")

// systemFiles are files of /etc that programs of the system read, and that say nothing of its users or keys.
var systemFiles = strings.Fields("alternatives bash.bashrc debian_version fonts java-11-openjdk java-17-openjdk java-21-openjdk ld.so.cache ld.so.conf ld.so.conf.d " +
	"localtime magic magic.mime maven mime.types os-release perl profile protocols python3 python3.11 R services ssl/certs ssl/openssl.cnf")

// ownEtc are files of /etc of a box: its user is called root, as in containers, but has no rights.
var ownEtc = map[string]string{
	"passwd":        "root:x:65534:65534:root:/root:/bin/bash\n",
	"group":         "root:x:65534:\n",
	"hosts":         "127.0.0.1 localhost box\n::1 localhost\n",
	"hostname":      "box\n",
	"nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}

// skeleton writes what an environment has before the steps of its Dockerfile: the directories of a system.
func skeleton(dir string, packages []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range emptyDirs {
		if err := root.MkdirAll(name, 0o755); err != nil {
			return err
		}
	}
	if err := root.WriteFile("var/lib/dpkg/status", packages, 0o644); err != nil {
		return err
	}
	for name, text := range ownEtc {
		if err := root.WriteFile("etc/"+name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, name := range systemFiles {
		if err := copySystem(root, "etc/"+name); err != nil {
			return err
		}
	}
	return nil
}

// copySystem copies a file or a directory of the machine that everyone can read.
func copySystem(root *os.Root, name string) error {
	return filepath.WalkDir("/"+name, func(at string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil
		}
		if err != nil {
			return err
		}
		to := strings.TrimPrefix(at, "/")
		info, err := e.Info()
		if err != nil || root.MkdirAll(path.Dir(to), 0o755) != nil {
			return err
		}
		switch mode := info.Mode(); {
		case mode.IsDir():
			return root.MkdirAll(to, 0o755)
		case mode&fs.ModeSymlink != 0:
			target, err := os.Readlink(at)
			if err != nil {
				return err
			}
			return root.Symlink(target, to)
		case mode.IsRegular() && mode&0o004 != 0:
			text, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			return root.WriteFile(to, text, 0o644)
		}
		return nil
	})
}

// lay writes what a box has left of a directory over a copy of it.
func lay(left sandbox.Left, dir string) error {
	if left.Whole {
		return errors.New("this kernel cannot lay directories over others: it takes Linux 6.6")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	room := int64(maxPrepared)
	return fs.WalkDir(left.Dir, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		mode := info.Mode()
		if !mode.IsDir() || left.Opaque(name) {
			if err := root.RemoveAll(name); err != nil {
				return err
			}
		}
		switch {
		case mode.IsDir():
			if err := root.MkdirAll(name, 0o755); err != nil {
				return err
			}
			return root.Chmod(name, mode.Perm()|0o700)
		case mode&fs.ModeSymlink != 0:
			target, err := left.Dir.ReadLink(name)
			if err != nil {
				return err
			}
			return root.Symlink(target, name)
		case mode.IsRegular():
			if room -= info.Size(); room < 0 {
				return fmt.Errorf("the environment has more than %d MB", maxPrepared>>20)
			}
			return layFile(left.Dir, root, name, mode.Perm())
		}
		return nil // a whiteout, or what no answer can have
	})
}

func layFile(from fs.FS, root *os.Root, name string, mode fs.FileMode) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Chmod(mode), out.Close())
}
