package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// locateGroups finds the memory controller and this process's cgroup in it.
func locateGroups(p groupPlaces) *groups {
	own := ownGroups(p.own)
	var reason error
	for line := range strings.Lines(p.mounts) {
		root, point, kind, options, ok := parseMount(line)
		if !ok {
			continue
		}
		var version int
		var path string
		switch {
		case kind == "cgroup" && hasWord(options, "memory"):
			version, path = 1, own["memory"]
		case kind == "cgroup2":
			version, path = 2, own[""]
		default:
			continue
		}
		inside, within := strings.CutPrefix(path, strings.TrimSuffix(root, "/"))
		if path == "" || !within {
			continue
		}
		g := &groups{version: version, home: filepath.Join(point, inside)}
		if version == 2 {
			if strings.HasPrefix(filepath.Base(g.home), groupName) { // another box has moved this process there
				g.home = filepath.Dir(g.home)
			}
			if !hasWord(readText(filepath.Join(g.home, "cgroup.controllers")), "memory") {
				reason = fmt.Errorf("the memory controller is not delegated to the cgroup %s: start assay with "+
					"`systemd-run --user --scope -p Delegate=yes assay …`", g.home)
				continue
			}
		}
		return g
	}
	if reason == nil {
		reason = errors.New("the kernel's memory cgroups are not mounted here")
	}
	return &groups{reason: reason}
}

// ownGroups parses /proc/self/cgroup: the path for each controller of version 1, and that of
// version 2 under the empty name.
func ownGroups(text string) map[string]string {
	paths := map[string]string{}
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) < 3 {
			continue
		}
		for controller := range strings.SplitSeq(parts[1], ",") {
			paths[controller] = parts[2]
		}
	}
	return paths
}

// parseMount parses a line of /proc/self/mountinfo, see proc(5).
func parseMount(line string) (root, point, kind, options string, ok bool) {
	before, after, found := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
	head, tail := strings.Fields(before), strings.Fields(after)
	if !found || len(head) < 5 || len(tail) < 3 {
		return "", "", "", "", false
	}
	plain := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\134`, `\`)
	return plain.Replace(head[3]), plain.Replace(head[4]), tail[0], tail[2], true
}

// hasWord reports whether a list, separated by commas or spaces, contains a word.
func hasWord(list, word string) bool {
	for _, w := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		if w == word {
			return true
		}
	}
	return false
}

func readText(path string) string {
	text, _ := os.ReadFile(path)
	return strings.TrimSpace(string(text))
}
