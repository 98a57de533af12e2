package judge

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"
)

//go:embed java/AssayCompiler.java.txt
var javaCompiler string

func javaResident(t *toolchain) (argv []string, files map[string]string) {
	argv = []string{t.paths[0], "-XX:+UseSerialGC", "-Xms64m", "-Xmx768m", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto",
		"--add-opens", "java.base/java.io=ALL-UNNAMED", "AssayCompiler.java"}
	return append(argv, strings.Fields(t.Options)...), map[string]string{"AssayCompiler.java": javaCompiler}
}

// prepareJava sets the path of java's libraries. java finds them by /proc/self/exe, which does
// not exist in a box.
func prepareJava(_ context.Context, t *toolchain) error {
	for i, path := range t.paths {
		if filepath.Ext(path) == ".jar" { // whose manifest names others relative to its link
			continue
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return fmt.Errorf("the program %s cannot be followed: %w", path, err)
		}
		t.paths[i] = real
	}
	lib := filepath.Join(filepath.Dir(filepath.Dir(t.paths[0])), "lib")
	t.env = append(t.env, "LD_LIBRARY_PATH="+lib+":"+filepath.Join(lib, "server"))
	return nil
}
