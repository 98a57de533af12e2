// Package rules finds defects in source text by its syntax tree alone: names that
// do not exist, calls with the wrong number of arguments, code that cannot be
// reached, commands put together from input, and some eighty more, chosen from
// what code written by language models really gets wrong. It runs nothing and
// needs nothing installed, so that every answer has a reliability and a security
// rating; where a real analyser is at hand, benchmark/analyser asks it too.
//
// Python is the only language with rules. Each rule has the severity and the
// dimension that SonarQube gives the same defect (Su et al. 2023 rated with it);
// where SonarQube has no such rule, those of pylint or bandit, mapped. A rule would
// rather miss a defect than object to sound code: REVIEW.md counts how it does on
// real generations.
//
// Text that does not parse gets one finding, syntax-error, and no security rating:
// it cannot run, so its reliability is E (that is a fact of its own beside validity,
// which Su et al. take from running it), and nothing can be said about the security
// of what is no program. SonarQube skips such a file and would leave it an A.
package rules
