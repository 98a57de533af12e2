package report

// datasetFile is where a table lies among a report's files.
func datasetFile(table string) string { return "dataset/data/" + table + "_data.csv" }

// dataset are the tidy tables as a dataset: a folder that can be published on its own.
func (r *Report) dataset() []file {
	var files []file
	tables := r.Tables()
	for _, t := range append(tables, codebook(tables)) {
		files = append(files, file{datasetFile(t.Name), t.CSV})
	}
	return files
}
