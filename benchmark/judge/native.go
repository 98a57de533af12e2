package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/benchmark/shelf"
	"assay/data/program"
)

// quickenNative compiles the end of the tests of C and C++ ahead.
func quickenNative(t *toolchain, dialect string) {
	s, remove, err := openShelf(t.box)
	if err != nil {
		return
	}
	t.shelf, t.cleanup, t.dialect = s, remove, dialect
	t.binds = append(t.binds, s.Dir)
	t.identity = shelf.Key(t.paths[0], t.version, stamp(realPath(t.paths[0])))
	t.object = t.shelf.Want(shelf.Key(t.identity, t.End.Text), 1, func(dir string) bool { return stamp(filepath.Join(dir, "end.o")) != "absent" },
		func(dir string) error { return compileEnd(t, dir) })
	if t.object != "" {
		t.object = filepath.Join(t.object, "end.o")
		t.linker = fastLinker(t)
	}
}

func compileEnd(t *toolchain, dir string) error {
	source := filepath.Join(dir, t.End.File)
	if err := os.WriteFile(source, []byte(t.End.Text), 0o644); err != nil {
		return err
	}
	return t.command(fmt.Sprintf("%s -O1 -w -c -o %s %s", t.paths[0], filepath.Join(dir, "end.o"), source))
}

// fastLinker returns an option that selects a linker faster than the default, if one works.
func fastLinker(t *toolchain) string {
	for _, name := range []string{"mold", "lld", "gold"} {
		if _, err := os.Stat(filepath.Join("/usr/bin", "ld."+name)); err != nil {
			continue
		}
		dir, err := os.MkdirTemp(t.shelf.Dir, shelf.Unfinished+"link-")
		if err != nil {
			return ""
		}
		defer os.RemoveAll(dir)
		made := filepath.Join(dir, "main")
		options := " -fuse-ld=" + name + " -fno-use-linker-plugin"
		line := fmt.Sprintf("echo 'int main(void) { return 0; }' | %s -x %s%s -o %s - -x none %s -lm", t.paths[0], t.dialect, options, made, t.object)
		if t.command(line) == nil && program.Command(context.Background(), program.Box, made).Run() == nil {
			return options
		}
	}
	return ""
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// nativeAhead compiles only the sample's own part: the end of the tests is compiled already, and
// headers may be.
func nativeAhead(t *toolchain, files map[string]string, standard string) ahead {
	main := t.File
	source, there := files[main]
	if t.object == "" || !there {
		return ahead{}
	}
	headers, object, others := compiledHeaders(t, t.byStandard("{standard} ", standard)+t.Options, source), "", len(files)-1
	if files[t.End.File] == t.End.Text {
		object, others = " "+t.object, others-1
	}
	if headers == "" && object == "" || others > 0 {
		return ahead{}
	}
	shorter := strings.NewReplacer(t.Options, t.Options+headers+t.linker, "*"+filepath.Ext(main)+" -lm", main+object+" -lm")
	return ahead{t.byStandard(shorter.Replace(t.compile(main)), standard), files}
}
