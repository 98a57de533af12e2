package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"assay/session/report/document"
)

// DatasetFile returns the path of a table within a report, named as Psych-DS requires.
func DatasetFile(table string) string { return "dataset/data/description-" + table + "_data.csv" }

// DatasetMaterial returns the path in the dataset of a file that the tables come from.
func DatasetMaterial(name string) string { return "dataset/materials/" + name }

// CodebookFile describes every column of the dataset.
const CodebookFile = "dataset/documentation/codebook.csv"

// Dataset is a set of tidy tables as a Psych-DS dataset: a folder that can be published on its own. Metadata
// are JSON-LD with the vocabulary of schema.org; each table has a metadata file, since columns of the same
// name may differ between tables. The note tells readers of the tables what else they must know; it may be "".
func Dataset(title, about, note string, tables []Table) []File {
	var files []File
	var variables []property
	known := map[string]bool{}
	for _, t := range tables {
		files = append(files, File{DatasetFile(t.Name), t.csv})
		own := propertiesOf(t)
		for _, p := range own {
			if !known[p.Name] {
				known[p.Name] = true
				variables = append(variables, p)
			}
		}
		files = append(files, File{strings.TrimSuffix(DatasetFile(t.Name), ".csv") + ".json", WriteJSON(description{
			Context: schemaOrg, Type: "Dataset", Name: t.Name, Description: t.Meaning, Variables: own,
		})})
	}
	return append(files,
		File{"dataset/dataset_description.json", WriteJSON(description{
			Context: schemaOrg, Type: "Dataset", Name: title, Description: about, Variables: variables,
		})},
		File{CodebookFile, codebook(tables).csv},
		File{"dataset/README.md", func(w io.Writer) error { return datasetReadme(w, title, note, tables) }},
		File{"dataset/CHANGES.md", WriteBytes([]byte("# Changes\n\nThis is the dataset as it was exported; a later export of the same results replaces it.\n"))},
	)
}

const schemaOrg = "https://schema.org/"

// description is a dataset_description.json.
type description struct {
	Context     string     `json:"@context"`
	Type        string     `json:"@type"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Variables   []property `json:"variableMeasured"`
}

// property describes one column.
type property struct {
	Type        string  `json:"@type"`
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Unit        string  `json:"unitText,omitempty"`
	Min         *int    `json:"minValue,omitempty"`
	Max         *int    `json:"maxValue,omitempty"`
	Values      []level `json:"valueReference,omitempty"`
}

// level is one of the values that a text can be.
type level struct {
	Type  string `json:"@type"`
	Value string `json:"value"`
}

func propertiesOf(t Table) []property {
	var all []property
	for _, c := range t.Columns {
		p := property{Type: "PropertyValue", Name: c.Name, Description: c.Meaning, Unit: c.Unit}
		if low, err := strconv.Atoi(c.Min); err == nil {
			p.Min = &low
		}
		if high, err := strconv.Atoi(c.Max); err == nil {
			p.Max = &high
		}
		for _, v := range c.Values {
			p.Values = append(p.Values, level{"PropertyValue", v})
		}
		all = append(all, p)
	}
	return all
}

// datasetReadme returns the codebook as Markdown.
func datasetReadme(w io.Writer, title, note string, tables []Table) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", escapeCell(title))
	b.WriteString("A dataset in the form of Psych-DS. Every table is tidy: one row for each thing that it is about. " +
		"Files are UTF-8, comma-separated, with a header (RFC 4180). An empty cell means not known or not applicable, never 0. " +
		"Text that begins with `=`, `+`, `-` or `@` is written with an apostrophe before it, so that no spreadsheet runs it as a formula; " +
		"control characters are removed and line breaks are spaces. `Rscript repeat.R`, in the report's directory, computes the report's numbers again from these tables, and says which it does not. " + note + "\n")
	for _, t := range tables {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| column | type | unit | values | meaning |\n|---|---|---|---|---|\n", strings.TrimPrefix(DatasetFile(t.Name), "dataset/"), escapeCell(t.Meaning))
		for _, c := range t.Columns {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", c.Name, c.Type, escapeCell(c.Unit), escapeCell(c.levels()), escapeCell(c.Meaning))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escapeCell escapes a text for a cell of a Markdown table.
func escapeCell(text string) string { return cellEscapes.Replace(document.Clean(text)) }

var cellEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", "|", `\|`)

// levels returns the values that a column can have, nil if they are not known.
func (c Column) levels() string {
	if c.Min != "" || c.Max != "" {
		return c.Min + " to " + c.Max
	}
	return strings.Join(c.Values, ", ")
}
