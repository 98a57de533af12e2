// Package study reads study files and works out who gets what: one file fixes the
// tasks, the models, the order and the rules for all testers of a study, and is frozen
// by its hash before the first of them begins.
package study
