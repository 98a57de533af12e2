// Package study reads study files and assigns work to testers: one file fixes the tasks, the models, the
// order and the rules for all testers of a study, and is frozen by its hash before the first tester begins.
package study
