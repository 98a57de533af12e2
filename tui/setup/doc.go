// Package setup is the form for a new session: each setting with its
// consequence beside it, and a last line that says what will happen.
package setup
