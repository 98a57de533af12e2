// Package document holds a report's text and tables once, and writes them as HTML,
// Markdown and LaTeX.
//
// Numbers are never typed into a text: a [Span] made by [Document.Num],
// [Document.Percent], [Document.Count] or [Document.Range] points at a field of the
// data that the report exports as JSON, and is written with the field's path beside
// it (in HTML as <data>). So whoever checks a report can trace each number on the page
// to a cell of the export, and find digits that were not. Plain strings are the
// report's own words and hold no digits; what is a name, or a constant of a
// definition, is marked with [Name] or [Fixed].
package document
