// Package markdowntest, for tests, generates Markdown as models write it, and checks that nothing of a text is lost
// where it is drawn.
package markdowntest
