// Package prompts has the verbs for the wordings in which tasks are put to models: writing, reviewing
// and exporting them.
package prompts
