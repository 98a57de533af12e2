// Package eval has the verbs that judge recorded samples, convert them and compare two results. It also
// prints metrics for other verbs.
package eval
