// Package run has the verbs that have models work without a person: answers, whole batches, and
// automatic testers.
package run
