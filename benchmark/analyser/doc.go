// Package analyser collects the findings of real analysers: bandit, pylint, ruff, semgrep, gosec, eslint
// with its SonarJS plugin and lintr if they are installed, any SARIF file, and a SonarQube server. A table
// (severities.toml, which a user's file may override) assigns each finding a severity and a dimension, so
// that ratings of different analysers are comparable.
//
// Suppression comments ("# nosec") have no effect: the code must not choose its own rating.
//
// Find finds the programs, or reports what is missing and how to install it. They run in a box without
// network, since untrusted input might exploit them. A result names the analyser with its version.
// Dimensions that an analyser does not cover have no rating, and a crashed analyser is an error: neither is
// ever an A.
//
// Rules that need no installation are in scoring/quality/rules. The callers are cmd/cli and session/engine.
package analyser
