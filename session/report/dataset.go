package report

// DatasetFile is where a table lies among a report's files.
func DatasetFile(table string) string { return "dataset/data/" + table + "_data.csv" }

// dataset are the tidy tables as a dataset: a folder that can be published on its own.
func (r *Report) dataset() []File {
	var files []File
	tables := r.Tables()
	for _, t := range append(tables, Codebook(tables)) {
		files = append(files, File{DatasetFile(t.Name), t.CSV})
	}
	return files
}
