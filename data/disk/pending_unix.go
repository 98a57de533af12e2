//go:build unix

package disk

import (
	"io/fs"
	"path/filepath"

	"github.com/google/renameio/v2"
)

type pendingFile = renameio.PendingFile

func newPending(to string, perm fs.FileMode) (*pendingFile, error) {
	return renameio.NewPendingFile(to, renameio.WithTempDir(filepath.Dir(to)), renameio.WithPermissions(perm), renameio.WithExistingPermissions())
}
