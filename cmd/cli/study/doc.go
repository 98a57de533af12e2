// Package study has the verbs of a study's owner, from the study file to the collected sessions.
// What a study is lives in session/study.
package study
