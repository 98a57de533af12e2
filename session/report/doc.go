// Package report is the frame of assay's reports: statistics with their intervals
// ([Number], [Estimate], [Share]), tidy tables with a codebook ([Table], [Dataset]), the
// self-checks of a report ([Check]), and its folder, which is written completely or not at all and can be
// checked later ([Layout], [WriteFiles], [CheckFiles]).
//
// The packages below this one make the reports: sessions, evaluations and difficulty. Package
// report/document typesets text and tables, report/figure draws.
package report
