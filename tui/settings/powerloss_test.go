package settings

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"assay/data/disk/disktest"
)

// A power loss leaves the settings as they were kept last, or as they were being kept.
func TestPowerLossKeepsSettings(t *testing.T) {
	themes := []string{"dark", "light", "high-contrast", "dark"}
	disktest.PowerLoss(t, func(dir string, done func(string)) error {
		for _, theme := range themes {
			if err := Keep(filepath.Join(dir, "sub", "settings.toml"), "theme", theme); err != nil {
				return err
			}
			done(theme)
		}
		return nil
	}, func(dir string, done []string) {
		s, err := Load(filepath.Join(dir, "sub", "settings.toml"))
		switch {
		case errors.Is(err, fs.ErrNotExist) && len(done) == 0:
		case err != nil:
			t.Error(err)
		case len(done) > 0 && string(s.Theme) != done[len(done)-1] && (len(done) == len(themes) || string(s.Theme) != themes[len(done)]):
			t.Errorf("the theme is %s after %v", s.Theme, done)
		}
	})
}
