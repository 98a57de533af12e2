// Package rules finds defects in source text by its syntax tree alone: names that do not exist, calls with
// the wrong number of arguments, code that cannot be reached, commands built from input, and about a hundred
// more, chosen from the mistakes that language models really make. It runs nothing and needs nothing
// installed, so every answer gets a reliability and a security rating; benchmark/analyser also runs real
// analysers where they are installed.
//
// Python is the only language with rules. Each rule has the severity and the dimension that SonarQube gives
// the same defect (Su et al. 2023 rated with it); if SonarQube has no such rule, pylint's or bandit's are
// mapped. Rules prefer missing a defect to a false alarm: REVIEW.md has their precision on real
// generations.
//
// A text in its context (syntax.ParseWithin) knows the context's names, and is the only one to be reported. A star import
// brings the names that exports.txt has for the module; after one of any other module any name may exist.
//
// Text that does not parse gets one finding, syntax-error, and no security rating: it cannot run, so its
// reliability is E (independently of validity, which Su et al. determine by running the code), and the
// security of something that is not a program is undefined (and has no points in scoring.ScoreSix). SonarQube skips such a file, which leaves it
// with an A.
package rules
