// Package results is the browser of results: the sessions that there are, one of them
// with its numbers, figures and tasks, one task with its attempts, and an attempt in the
// tabs of the review. It changes nothing but the report that r writes. What it shows is
// handed in as [Library]; logs are read in commands for what is on the screen only, so
// that hundreds of sessions are listed as quickly as one.
package results
