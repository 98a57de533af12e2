// Package tasks has the verbs that show, check, draw, convert and create tasks.
package tasks
