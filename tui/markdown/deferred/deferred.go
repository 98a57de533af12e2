// Package deferred avoids parsing chroma's 250 languages and seventy styles at every start of the
// program, which would take longer than everything else before main. It is initialised before
// chroma, by the order of import paths that the Go specification fixes, and removes the files
// that chroma would read.
package deferred

import (
	"embed"
	"path"
	"slices"
	"strings"
	"unsafe"
)

//go:linkname lexers github.com/alecthomas/chroma/v2/lexers.embedded
var lexers embed.FS

//go:linkname styles github.com/alecthomas/chroma/v2/styles.embedded
var styles embed.FS

var (
	// Lexers has the languages that chroma has not read, as embedded/NAME.xml. chroma refers to
	// the others by name while it is initialised.
	Lexers = split(&lexers, "common_lisp", "dns", "emacslisp", "go_template", "html", "mysql", "zed")
	// Styles has chroma's styles, as NAME.xml.
	Styles = split(&styles)
)

// files has the memory layout of embed.FS.
type files struct{ files *[]file }

type file struct {
	name string
	_    string   // its content
	_    [16]byte // and its hash
}

// split removes all files except those of the given names from a file system, and returns them;
// folders stay in both.
func split(from *embed.FS, leave ...string) embed.FS {
	all := (*files)(unsafe.Pointer(from))
	var left, taken []file
	for _, f := range *all.files {
		folder := strings.HasSuffix(f.name, "/")
		stays := slices.Contains(leave, strings.TrimSuffix(path.Base(f.name), ".xml"))
		if folder || stays {
			left = append(left, f)
		}
		if !stays {
			taken = append(taken, f)
		}
	}
	all.files = &left
	rest := files{&taken}
	return *(*embed.FS)(unsafe.Pointer(&rest))
}
