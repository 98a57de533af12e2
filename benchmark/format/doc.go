// Package format reads and writes the files of other tools, one file of code for each format: tasks (HumanEval,
// HumanEval+ and MBPP+, HumanEval-X, MBPP, MultiPL-E, APPS, CodeContests, LeetCodeDataset, LiveCodeBench, CRUXEval,
// ClassEval, BigCodeBench, DS-1000, SWE-bench, task directories of Harbor and terminal-bench,
// problem packages of Kattis and Polygon, rows of Codeforces, Miah & Zhu's test cases, tables with a header) and samples, which are
// generated code to be judged (human-eval, EvalPlus, bigcode, CodeT, MultiPL-E, LiveCodeBench, CRUXEval, SWE-bench,
// Inspect). It also writes the reports of SWE-bench's harness and logs of Inspect.
//
// A format is detected from the start of the file, unless it is given. Files may be compressed with gzip, whatever
// their name. JSON may be an object on each line or a list; samples are read one by one, never all into memory,
// except for a log of Inspect, which is one value. Every error names the file, the line, the field and a remedy.
// Fields that no reader uses are kept in the tasks. Output is read back before it is written.
//
// assay's own benchmark format belongs to package benchmark, to which LoadAs delegates. Callers are cmd and
// benchmark/batch.
package format
