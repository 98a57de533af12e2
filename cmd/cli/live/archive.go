package live

import (
	"context"
	"errors"

	"assay/cmd/cli/report"
	"assay/store"
	"assay/tui/results"
)

// testersArchive is the archive without the results that a study shows its tester later.
type testersArchive struct {
	report.Archive
	store *store.Store
}

// Open implements results.Library.
func (a testersArchive) Open(ctx context.Context, id string) (results.Opened, error) {
	if err := a.later(id); err != nil {
		return results.Opened{}, err
	}
	return a.Archive.Open(ctx, id)
}

// WriteReport implements results.Library.
func (a testersArchive) WriteReport(ctx context.Context, id string) (string, error) {
	if err := a.later(id); err != nil {
		return "", err
	}
	return a.Archive.WriteReport(ctx, id)
}

// later returns an error if the study shows the results of a session later.
func (a testersArchive) later(id string) error {
	rows, err := a.store.Sessions()
	if err == nil && store.ResultsLater(rows, id) {
		err = errors.New("the study shows the results of this session after your last one")
	}
	return err
}
