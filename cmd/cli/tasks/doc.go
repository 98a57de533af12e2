// Package tasks has the verbs that show, check, draw, convert and make tasks.
package tasks
