// Package analyser asks real analysers about source text: bandit, pylint, ruff,
// semgrep, gosec, eslint with its SonarJS plugin and lintr where they are installed,
// any SARIF file, and a SonarQube server. Each finding gets the severity and the
// dimension that a table gives it (severities.toml, which a user's file may change),
// so that ratings of different analysers can be compared.
//
// Comments by which code asks an analyser to look away ("# nosec") do not count: the
// code must not choose its own rating.
//
// A program is found by Find, which also says what is missing and how to mend it, and
// runs in a box without network: what it reads is untrusted, and so is what it might
// be made to do. A result names the analyser with its version. What an analyser did
// not look at has no rating, and an analyser that crashed is an error: neither is
// ever an A.
//
// The rules that need nothing installed are in scoring/quality/rules. The callers are
// cmd/cli and session/engine.
package analyser
