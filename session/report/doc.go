// Package report is the frame of assay's reports: statistics with their intervals
// ([Number], [Estimate], [Share]), tidy tables with a codebook ([Table], [Dataset]), the
// checks that a report makes of itself ([Check]), and its folder, written whole and checked
// as it lies ([Layout], [WriteFiles], [CheckFiles]).
//
// What a report is about is its siblings' below this package: sessions, evaluations and
// difficulty. Words and tables are set by report/document, figures by report/figure.
package report
