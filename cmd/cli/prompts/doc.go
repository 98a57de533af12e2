// Package prompts has the verbs for prepared wordings of tasks: writing, reviewing and exporting them.
package prompts
