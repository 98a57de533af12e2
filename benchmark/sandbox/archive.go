package sandbox

import (
	"archive/tar"
	"bytes"
	"maps"
	"slices"
)

// tarRecord is the unit in which tar reads from a pipe.
const tarRecord = 20 * 512

// Archive packs files for tar in a box.
func Archive(files map[string]string, mode int64) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(files[name])), Format: tar.FormatPAX}) // in memory
		w.Write([]byte(files[name]))
	}
	w.Close()
	b.Write(make([]byte, (tarRecord-b.Len()%tarRecord)%tarRecord))
	return b.Bytes()
}
