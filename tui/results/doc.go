// Package results is the list of sessions and the browser of their results: one session
// with its numbers, figures and tasks, one task with its attempts, and an attempt in the
// tabs of the review. Sessions are continued, renamed, closed and deleted from the list by
// functions in [Options]. The data come from [Library]; only the logs of sessions on the
// screen are read, so that hundreds of sessions are listed as quickly as one.
package results
