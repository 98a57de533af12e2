// Package report has the verb that reports sessions or results, and the browser of results. Numbers
// and pages are made by the packages below session/report.
package report
