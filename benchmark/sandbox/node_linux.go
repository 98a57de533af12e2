package sandbox

import _ "embed"

//go:embed serve_linux.c
var serveSource string

//go:embed node_linux.c.txt
var nodeSource string

// NodeServer returns the C source of a library that turns Node into a fork server, see
// [Fork.Server].
func NodeServer() string {
	return "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <unistd.h>\n" + serveSource + "\n" + nodeSource
}
