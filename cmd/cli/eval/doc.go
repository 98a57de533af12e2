// Package eval has the verbs that judge recorded samples, convert them and compare two results, and
// prints metrics for other verbs, too.
package eval
