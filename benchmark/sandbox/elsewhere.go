package sandbox

import (
	"cmp"
	"runtime"
)

// Elsewhere says what assay can do on this system, and how to get the rest; "" on Linux, where it can do everything.
func Elsewhere() string { return elsewhere(runtime.GOOS) }

func elsewhere(system string) string {
	if system == "linux" {
		return ""
	}
	name := cmp.Or(map[string]string{"darwin": "macOS", "windows": "Windows"}[system], system)
	return "On " + name + " screens, studies, ratings, reports and models work; code is not run. Docker Desktop or a podman machine runs " +
		"all of assay: docker run --rm -it -v assay:/data -v .:/work assay. Or workers on Linux judge: assay help machines"
}
