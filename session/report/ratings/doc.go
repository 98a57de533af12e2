// Package ratings owns the report of ratings of the same answers or pairs: which model's answers people prefer, how far they
// agree, and what judges add.
//
// [Build] takes an analysis of package overlap, which computes all numbers; [Report.WriteDir] writes the page with its
// figures, tables and dataset, and [CheckFiles] checks what was written. Package cmd/cli/rate calls it.
package ratings
