package adaptive

import (
	"encoding/json"
	"fmt"
)

// Format is the version of the format of item files.
const Format = 1

// File is a file of items: JSON with the items sorted by id.
type File struct {
	Format      int      `json:"assay_items"`
	Name        string   `json:"name"`              // of the results that the items were calibrated with
	Model       string   `json:"model"`             // of item response theory
	Respondents []string `json:"respondents"`       // that calibrated the items; abilities are in their standard deviations
	Samples     int      `json:"samples,omitempty"` // of each respondent and task at the median; 0, in files of version 1.0: 1
	Items       []Item   `json:"items"`
	Notes       []string `json:"notes,omitempty"`
}

// Parse reads an item file; name appears in errors.
func Parse(name string, text []byte) (*File, error) {
	const again = "write it with `assay difficulty items RESULTS --out FILE`"
	var head struct {
		Format *int `json:"assay_items"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%s is not a file of items: %w; %s", name, err, again)
	}
	switch {
	case head.Format == nil:
		return nil, fmt.Errorf("%s is not a file of items: it has no assay_items; %s", name, again)
	case *head.Format != Format:
		return nil, fmt.Errorf("%s has format %d, but this version reads format %d: %s", name, *head.Format, Format, again)
	}
	var f File
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(f.Items) == 0 {
		return nil, fmt.Errorf("%s has no items: %s", name, again)
	}
	seen := map[string]int{}
	for k, item := range f.Items {
		if err := item.Check(); err != nil {
			return nil, fmt.Errorf("%s: items[%d]: %w", name, k, err)
		}
		if first, twice := seen[item.ID]; twice {
			return nil, fmt.Errorf("%s: items[%d] and items[%d] both have the id %q: remove one", name, first, k, item.ID)
		}
		seen[item.ID] = k
	}
	return &f, nil
}

// Of returns the items of tasks, in the order of their ids, and the ids that the file does not have.
func (f *File) Of(ids []string) (items []Item, missing []string) {
	at := map[string]Item{}
	for _, item := range f.Items {
		at[item.ID] = item
	}
	for _, id := range ids {
		item, ok := at[id]
		if !ok {
			missing = append(missing, id)
			continue
		}
		items = append(items, item)
	}
	return items, missing
}
