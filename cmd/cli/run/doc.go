// Package run has the verbs for models working without a person: answers, whole batches, and automatic
// testers.
package run
